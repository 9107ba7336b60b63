// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Subjects.h"

#include "assess/Study.h"
#include "campaign/InputCoverage.h"
#include "native/Process.h"
#include "program/Load.h"
#include "report/Files.h"
#include "support/Folder.h"
#include "support/TextError.h"
#include "synth/Synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace fathom::assess {

namespace fs = std::filesystem;

bool isGenerated(const std::string &folder) {
  std::error_code ignored;
  return fs::exists(folder + "/grammar.json", ignored) &&
         fs::exists(folder + "/truth.json", ignored);
}

static std::vector<std::string> filesOf(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto &entry : entriesOf(folder, ignored))
    if (entry.is_regular_file(ignored)) files.push_back(entry.path());
  return files;
}

static llvm::Error copyFiles(const std::vector<std::string> &files, const std::string &to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  for (const std::string &file : files) {
    if (!failed) fs::copy_file(file, to / fs::path(file).filename(), failed);
    if (failed)
      return textError(fmt::format("cannot copy {} to {}: {}", file, to, failed.message()));
  }
  return llvm::Error::success();
}

// ---- generated programs
// --------------------------------------------------------------------------------------------------

static llvm::Error writeGenerated(const synth::Knobs &asked, const std::string &folder,
                                  std::string &from) {
  synth::Knobs knobs = asked;
  knobs.witnesses = true;
  auto made = synth::synthesise(knobs);
  if (!made) return made.takeError();
  if (!made->missed.empty())
    return textError(
        fmt::format("{} reachable places of a generated program have no input; this is "
                    "an error of Fathom's",
                    made->missed.size()));
  from = fmt::format("generated: {} lines, seed {}", made->program.lines, knobs.seed);
  for (const synth::OutputFile &file : synth::outputFiles(*made)) {
    const fs::path path(file.name);
    auto directory = report::Directory::openOrCreate(
        path.has_parent_path() ? folder + "/" + path.parent_path().string() : folder);
    if (!directory) return directory.takeError();
    if (auto e = directory->write(path.filename(), file.text, file.executable)) return e;
  }
  return llvm::Error::success();
}

static llvm::Error copyGenerated(const std::string &source, const std::string &folder) {
  if (filesOf(source + "/witnesses").empty())
    return textError(fmt::format("{}: no witnesses/ in it, from which a study gets the ground "
                                 "truth; generate it with --witnesses",
                                 source));
  std::vector<std::string> sources;
  for (const std::string &file : filesOf(source)) {
    const fs::path path(file);
    if (path.extension() == ".c" || path.extension() == ".h" || path.extension() == ".json" ||
        path.filename() == "build.sh")
      sources.push_back(file);
  }
  if (auto e = copyFiles(sources, folder)) return e;
  if (auto e = copyFiles(filesOf(source + "/seeds"), folder + "/seeds")) return e;
  return copyFiles(filesOf(source + "/witnesses"), folder + "/witnesses");
}

/// Without main.c: the truth is about the parser alone.
static llvm::Error build(const std::string &folder, const SubjectTools &tools,
                         const std::atomic<bool> &stop) {
  native::Command command;
  command.program = "/bin/sh";
  command.arguments = {"sh", "build.sh", "program"};
  command.directory = folder;
  command.inheritEnvironment = true;
  // The script splits $CC at spaces, as make does. The path of the compiler may contain some, so CC
  // is its name alone and PATH has its folder.
  const char *path = getenv("PATH");
  command.environment = {fmt::format("PATH={}:{}", fs::path(tools.fathomCc).parent_path().string(),
                                     path ? path : "/usr/bin:/bin"),
                         "CC=" + fs::path(tools.fathomCc).filename().string(), "CFLAGS=-g",
                         "LDFLAGS=", "MAIN="};
  command.captureOutput = true;
  native::Outcome outcome = native::run(command, &stop);
  std::error_code ignored;
  fs::remove_all(folder + "/program.objects", ignored);
  if (outcome.ok()) return llvm::Error::success();
  llvm::StringRef said = llvm::StringRef(outcome.output).rtrim();
  return textError(fmt::format("{}/build.sh: {}: {}", folder, native::describe(outcome),
                               said.substr(said.rfind('\n') + 1).str()));
}

static llvm::Expected<Reachable> measureTruth(const campaign::FuzzVariant &variant,
                                              const std::string &folder, const SubjectTools &tools,
                                              const std::atomic<bool> &stop) {
  auto covered = campaign::coveredBy(variant, filesOf(folder + "/witnesses"), folder,
                                     tools.testTime * 5, stop);
  if (!covered) return covered.takeError();
  Reachable reachable;
  for (uint32_t element = 0; element < covered->size(); ++element) {
    if (!(*covered)[element]) continue;
    if (element < variant.layout.sides)
      reachable.sides.push_back(element);
    else
      reachable.blocks.push_back(element - variant.layout.sides);
  }
  const std::vector<campaign::MapLayout::Statement> &statements = variant.layout.statements;
  for (uint32_t statement = 0; statement < statements.size(); ++statement)
    if (std::ranges::any_of(statements[statement].blocks, [&](uint32_t block) {
          return (*covered)[variant.layout.sides + block];
        }))
      reachable.statements.push_back(statement);
  return reachable;
}

// ---- all programs
// --------------------------------------------------------------------------------------------------

/// program.bc, and the executable where there is one, for the scripts that show bugs.
static llvm::Error copyProgram(const Request &request, const program::LoadOptions &load,
                               const std::string &folder) {
  auto bitcode = program::findBitcode({request.program}, load);
  if (!bitcode) return bitcode.takeError();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) fs::copy_file(bitcode->path, folder + "/program.bc", failed);
  const fs::path path(request.program);
  if (!failed && path.extension() != ".bc" && path.extension() != ".c" && path.extension() != ".ll")
    fs::copy_file(path, folder + "/program", failed);
  if (failed)
    return textError(
        fmt::format("cannot copy {} to {}: {}", request.program, folder, failed.message()));
  return llvm::Error::success();
}

llvm::Expected<Subject> prepare(const Request &request, const std::string &folder,
                                campaign::ElementKind kind, const SubjectTools &tools,
                                const std::atomic<bool> &stop) {
  Subject subject;
  subject.name = request.name;
  subject.from = request.program;
  subject.arguments = request.arguments;
  program::LoadOptions load;
  load.fathomCc = tools.fathomCc;
  const bool generated = request.knobs || isGenerated(request.program);
  if (request.knobs) {
    if (auto e = writeGenerated(*request.knobs, folder, subject.from)) return std::move(e);
  } else if (generated) {
    if (auto e = copyGenerated(request.program, folder)) return std::move(e);
  } else if (auto e = copyProgram(request, load, folder)) {
    return std::move(e);
  }
  if (generated)
    if (auto e = build(folder, tools, stop)) return std::move(e);
  const std::string corpus =
      request.corpus.empty() && generated ? folder + "/seeds" : request.corpus;
  if (!corpus.empty()) {
    std::vector<std::string> inputs = filesOf(corpus);
    // AFL++ takes no empty inputs. (A witness may well be empty.) An input whose size cannot be
    // told stays: copying it says why.
    std::erase_if(inputs, [](const std::string &file) {
      std::error_code ignored;
      return fs::file_size(file, ignored) == 0;
    });
    if (inputs.empty())
      return textError(
          fmt::format("corpus {} of {}: expected a folder with files that are not empty", corpus,
                      request.name));
    if (auto e = copyFiles(inputs, folder + "/corpus")) return std::move(e);
    subject.hasCorpus = true;
  }
  auto variant = campaign::fuzzVariant({folder + "/program.bc"}, load, tools.variant);
  if (!variant) return variant.takeError();
  subject.key = variant->key;
  subject.elements = variant->layout.count(kind);
  if (!generated) return subject;
  auto reachable = measureTruth(*variant, folder, tools, stop);
  if (!reachable) return reachable.takeError();
  if (auto e = writeReachable(folder, *reachable)) return std::move(e);
  subject.truth = reachable->of(kind).size();
  std::error_code ignored;
  fs::remove_all(folder + "/witnesses", ignored); // thousands of files, whose work is done
  fs::remove_all(folder + "/seeds", ignored);     // copied to corpus/, or not used
  return subject;
}

} // namespace fathom::assess
