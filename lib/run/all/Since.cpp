// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Since.h"

#include "confirm/Defect.h"
#include "run/confirm/ConfirmPrograms.h"
#include "run/confirm/ConfirmRequest.h"
#include "run/Failure.h"
#include "run/fuzz/Corpus.h"
#include "run/InputFiles.h"
#include "run/suite/SuiteInputs.h"
#include "support/Folder.h"
#include "support/NumberText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace fathom::run {

/// The program's name, without the suffix of its form.
static std::string stemOf(llvm::StringRef program) { return llvm::sys::path::stem(program).str(); }

llvm::Error checkSince(const RunRequest &request) {
  if (request.since.empty()) return llvm::Error::success();
  const auto refuse = [&](const std::string &why) {
    return usageError(fmt::format("--since {}: {}", request.since, why));
  };
  if (!llvm::sys::fs::is_directory(request.since))
    return refuse("no such folder; expected the results of an earlier fathom run");
  // Also by another name, such as a symbolic link: this run would replace what it begins with.
  if (absolutePath(request.since) == absolutePath(request.folder) ||
      llvm::sys::fs::equivalent(request.since, request.folder))
    return refuse("is the folder of this run; name another one with -o");
  llvm::Expected<llvm::json::Object> run = report::readJsonObject(request.since + "/run.json");
  if (!run) {
    llvm::consumeError(run.takeError());
    return refuse("no results of fathom run are there (it has no run.json that can be read)");
  }
  if (const auto subcommand = run->getString("subcommand").value_or(""); subcommand != "run")
    return refuse(
        fmt::format("has results of fathom {}; expected those of fathom run", subcommand.str()));
  const llvm::json::Array *programs = run->getArray("program");
  const std::string was =
      programs && !programs->empty() ? (*programs)[0].getAsString().value_or("").str() : "";
  if (stemOf(was) != stemOf(request.program))
    return refuse(fmt::format("is about the program {}, and not about {}", stemOf(was),
                              stemOf(request.program)));
  return llvm::Error::success();
}

/// The files of a folder, by name.
static void addFiles(const std::string &folder, std::vector<FoundInput> &out) {
  std::error_code none;
  std::vector<std::string> files;
  for (const auto &entry : entriesOf(folder, none))
    if (entry.is_regular_file(none)) files.push_back(entry.path().string());
  std::ranges::sort(files);
  for (const std::string &file : files)
    if (auto bytes = report::readFile(file))
      out.push_back({file, std::move(*bytes)});
    else
      llvm::consumeError(bytes.takeError());
}

/// All inputs of an earlier run, or its suite.
static std::vector<FoundInput> inputsBefore(const std::string &old) {
  const std::string suite = old + "/suite";
  if (!llvm::sys::fs::is_directory(suite + "/inputs"))
    return inputsOfRun(old, "", old + "/fuzz/afl");
  std::vector<FoundInput> out;
  addFiles(suite + "/inputs", out);
  addFiles(suite + "/bugs", out);
  return out;
}

/// Each once, into a folder that is there whole or not at all.
static llvm::Error writeInputs(const report::Directory &root,
                               const std::vector<FoundInput> &inputs) {
  if (llvm::Error e = root.remove(".since")) return e; // of a run that was killed
  return root.createWhole("since", [&](const report::Directory &folder) -> llvm::Error {
    std::set<std::string> seen;
    for (const FoundInput &input : inputs) {
      if (input.bytes.empty() || !seen.insert(input.bytes).second) continue;
      if (llvm::Error e = folder.write(fmt::format("{:06}", seen.size()), input.bytes)) return e;
    }
    return llvm::Error::success();
  });
}

llvm::Expected<Since> prepareSince(RunRequest &request, const report::Directory &root,
                                   const std::vector<FunctionCode> &functions) {
  Since out;
  out.folder = absolutePath(request.since);
  const std::string into = root.path() + "/since";
  if (!llvm::sys::fs::exists(into)) {
    std::vector<FoundInput> inputs = inputsBefore(out.folder);
    llvm::Expected<Corpus> corpus = Corpus::open(request.corpus);
    if (!corpus) return corpus.takeError();
    const std::string written = into + "-corpus"; // of results of other commands
    llvm::Expected<std::string> folder = corpus->inputs(written);
    if (!folder) return folder.takeError();
    if (!folder->empty()) addFiles(*folder, inputs);
    llvm::sys::fs::remove_directories(written);
    if (llvm::Error e = writeInputs(root, inputs)) return std::move(e);
  }
  std::error_code none;
  out.inputs = entriesOf(into, none).size();
  if (out.inputs) request.corpus = into;
  out.functions = functions.size();
  if (auto hashes = readFunctionHashes(out.folder)) {
    out.knowsFunctions = true;
    out.hashesBefore = std::move(*hashes);
    std::ranges::copy_if(functions, std::back_inserter(out.changed), [&](const FunctionCode &one) {
      return !out.hashesBefore.contains(one.hash);
    });
  }
  return out;
}

std::string sinceText(const Since &since) {
  std::string out =
      fmt::format("since {}: {} to begin with; ", since.folder, counted(since.inputs, "input"));
  if (!since.knowsFunctions) return out + "which functions have changed is not known";
  if (since.changed.empty()) return out + "the source of no function has changed";
  out +=
      fmt::format("{} of {} changed", since.changed.size(), counted(since.functions, "function"));
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < std::min(kShown, since.changed.size()); ++i)
    out += (i ? ", " : ": ") + since.changed[i].function;
  return out + (since.changed.size() > kShown ? ", ..." : "");
}

std::string targetsOf(const Since &since) {
  constexpr size_t kMost = 64; // all are looked at in each decision of the searcher
  std::string out;
  size_t count = 0;
  for (const FunctionCode &one : since.changed)
    if (one.file.find(',') == std::string::npos && count++ < kMost)
      out += fmt::format("{}{}:{}", out.empty() ? "targets=" : ",", one.file, one.line);
  return out;
}

std::function<bool(const confirm::Defect &)> changedPlaces(const Since &since) {
  if (!since.knowsFunctions) return nullptr;
  auto lines = std::make_shared<report::SourceLines>();
  auto code = std::make_shared<report::SourceCode>(*lines);
  return [lines, code, before = since.hashesBefore](const confirm::Defect &defect) {
    return !before.contains(hashAround(*code, defect.sink.file, defect.sink.line));
  };
}

static ConfirmedProgram programOf(const ConfirmRequest &request) {
  return {request.programs.front(), request.programs, nullptr};
}

std::string takeVerdicts(const Since *since, ConfirmRequest &request) {
  const std::string kept = keptFile(programOf(request), request);
  const std::string name = llvm::sys::path::filename(kept).str();
  if (name.empty() || !since) return name;
  const std::string before = fmt::format("{}/verdicts/{}", since->folder, name);
  std::error_code none;
  if (llvm::sys::fs::exists(before)) {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(kept));
    if (!llvm::sys::fs::exists(kept))
      (void)llvm::sys::fs::copy_file(before, kept); // without it, they are judged again
  } else if (const std::string inputs = since->folder + "/confirm";
             !entriesOf(inputs + "/bugs", none).empty()) {
    request.seeds = inputs;
  }
  return name;
}

void keepVerdicts(const std::string &folder, const std::string &name,
                  const ConfirmRequest &request) {
  // With seeds the question was another one than that of a later run, which has none.
  if (name.empty() || !request.seeds.empty()) return;
  const std::string kept = keptFile(programOf(request), request);
  if (kept.empty() || llvm::sys::fs::create_directories(folder + "/verdicts")) return;
  (void)llvm::sys::fs::copy_file(kept, fmt::format("{}/verdicts/{}", folder, name));
}

} // namespace fathom::run
