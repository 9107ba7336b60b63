// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/synth/MakeProgram.h"

#include "program/ControlFlow.h"
#include "program/Load.h"
#include "report/Files.h"
#include "run/Failure.h"
#include "run/Installation.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace fathom::run {

static constexpr const char *kFolders[] = {"seeds", "witnesses"};

/// part001.c ...
static bool isPart(const std::string &name) {
  return name.size() > 6 && name.starts_with("part") && name.ends_with(".c") &&
         name.find_first_not_of("0123456789", 4) == name.size() - 2;
}

/// What an earlier run left in the folder is replaced with --force; whatever else is there stays,
/// and a folder that is not one of ours is not touched.
static llvm::Error clearFolder(const report::Directory &root, bool force) {
  const std::string &path = root.path();
  if (root.entries().empty()) return llvm::Error::success();
  bool ours = root.exists("grammar.json") && root.exists("truth.json");
  if (!ours)
    return usageError(path + ": is not empty and holds no generated program; not even --force "
                             "replaces it: name another folder with -o");
  if (!force)
    return usageError(path + ": holds a generated program; name another folder with -o, or replace "
                             "it with --force");
  for (const char *folder : kFolders)
    if (llvm::Error e = asUsage(root.remove(folder))) return e;
  for (const std::string &name : root.entries()) {
    if (!isPart(name) && name != "program.c" && name != "grammar.json") continue;
    if (llvm::Error e = asUsage(root.remove(name))) return e;
  }
  return llvm::Error::success();
}

static llvm::Error checkFolder(const std::string &path, bool force) {
  if (path.empty()) return usageError("-o: expected the name of a folder");
  std::error_code ignored; // creating the folder says why it cannot be used
  if (!std::filesystem::exists(path, ignored)) return llvm::Error::success();
  if (!std::filesystem::is_directory(path, ignored))
    return usageError("-o " + path + ": is a file; expected the name of a folder");
  if (std::filesystem::is_empty(path, ignored) || force) return llvm::Error::success();
  return usageError(path + ": exists; name another folder with -o, or replace a generated program "
                           "in it with --force");
}

static llvm::Error writeFiles(const synth::Synthesis &made, const SynthRequest &request) {
  llvm::Expected<report::Directory> root = report::Directory::openOrCreate(request.folder);
  if (!root) return root.takeError();
  if (llvm::Error e = clearFolder(*root, request.force)) return e;
  llvm::Expected<report::Directory> seeds = root->create("seeds");
  if (!seeds) return seeds.takeError();
  report::Directory witnesses;
  if (made.knobs.witnesses) {
    llvm::Expected<report::Directory> created = root->create("witnesses");
    if (!created) return created.takeError();
    witnesses = std::move(*created);
  }
  for (const synth::OutputFile &file : synth::outputFiles(made)) {
    size_t slash = file.name.find('/');
    const report::Directory &in = slash == std::string::npos                  ? *root
                                  : file.name.compare(0, slash, "seeds") == 0 ? *seeds
                                                                              : witnesses;
    std::string name = slash == std::string::npos ? file.name : file.name.substr(slash + 1);
    if (llvm::Error e = in.write(name, file.text, file.executable)) return e;
  }
  return llvm::Error::success();
}

static llvm::Expected<synth::Synthesis> synthesise(const SynthRequest &request) {
  if (std::string wrong = synth::validate(request.knobs); !wrong.empty()) return usageError(wrong);
  if (request.like.empty()) return asUsage(synth::synthesise(request.knobs));
  llvm::LLVMContext context;
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  auto module = asUsage(program::loadProgram(context, {request.like}, load));
  if (!module) return module.takeError();
  llvm::Expected<ControlFlow> flow = program::controlFlowOf(**module);
  if (!flow) return usageError("--like " + request.like + ": " + llvm::toString(flow.takeError()));
  const std::string name = std::filesystem::path(request.like).filename();
  return asUsage(synth::synthesiseLike(*flow, name, request.knobs));
}

llvm::Expected<synth::Synthesis> makeProgram(const SynthRequest &request) {
  if (llvm::Error e = checkFolder(request.folder, request.force)) return std::move(e);
  llvm::Expected<synth::Synthesis> made = synthesise(request);
  if (!made) return made;
  if (!made->missed.empty())
    return llvm::createStringError(fmt::format(
        "{} reachable places without an input; nothing was written", made->missed.size()));
  if (llvm::Error e = asUsage(writeFiles(*made, request))) return std::move(e);
  return made;
}

} // namespace fathom::run
