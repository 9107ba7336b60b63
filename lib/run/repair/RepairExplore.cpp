// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RepairExplore.h"

#include "evidence/BugKind.h"
#include "report/BugFile.h"
#include "run/Installation.h"
#include "support/TextError.h"
#include "support/WriteFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run {

namespace fs = std::filesystem;

static constexpr size_t kMaxFailingRuns = 4;

RepairExplorer::RepairExplorer(const RepairProgram &program, std::chrono::milliseconds time,
                               Session &session)
    : scratch_(program.scratch() + "/explored"), copy_(program.subject().copy()), time_(time),
      session_(session) {
  if (!time_.count()) return;
  for (const TestBefore &test : program.before())
    for (const RecordedRun &run : test.runs)
      if (!test.passes && runs_.size() < kMaxFailingRuns &&
          (!run.input.empty() ||
           std::any_of(run.arguments.begin(), run.arguments.end(),
                       [](const std::string &argument) { return !argument.empty(); })))
        runs_.push_back(run);
}

/// The bug in a folder bugs/000001 as text. Files below `sources` are named as they are there.
static std::string bugText(const std::string &bug, const std::string &sources) {
  llvm::Expected<report::Finding> found = report::readFinding(bug);
  if (!found)
    return fmt::format("a bug whose report cannot be read: {}", llvm::toString(found.takeError()));
  const evidence::StackFrame *at = report::locationOf(found->stack);
  if (!at) return fmt::format("{}: {}", evidence::name(found->kind), found->message);
  std::string file = at->file;
  if (file.starts_with(sources + "/")) file.erase(0, sources.size() + 1);
  return fmt::format("{} in {} at {}:{}", evidence::name(found->kind), at->function, file,
                     at->line);
}

llvm::Expected<std::string> RepairExplorer::exploreFrom(size_t index, const std::string &program) {
  const RecordedRun &run = runs_[index];
  const std::string out = fmt::format("{}/{}", scratch_, index), seeds = scratch_ + "/seeds";
  std::error_code failed;
  fs::remove_all(scratch_, failed);
  fs::create_directories(seeds, failed);
  native::Command command;
  command.program = Installation::get().fathom;
  const auto share = std::max<int64_t>(100, time_.count() / static_cast<int64_t>(runs_.size()));
  // What a program leaves behind at its end is no sign of a wrong patch.
  command.arguments = {"fathom",
                       "explore",
                       program,
                       "-q",
                       "-o",
                       out,
                       "--check-leaks=0",
                       "--max-time",
                       fmt::format("{}ms", share),
                       "--max-memory",
                       "2G"};
  auto add = [&](std::initializer_list<std::string> words) {
    command.arguments.insert(command.arguments.end(), words);
  };
  if (!run.input.empty()) {
    if (!failed) failed = writeFile(seeds + "/1", run.input);
    add({"--sym-stdin", std::to_string(run.input.size()), "--seeds", seeds});
    if (!run.arguments.empty()) add({"--"});
    for (const std::string &argument : run.arguments) add({argument});
  } else {
    for (const std::string &argument : run.arguments)
      add({"--sym-arg", std::to_string(argument.size())});
  }
  if (failed) return textError(fmt::format("{}: {}", scratch_, failed.message()));
  command.inheritEnvironment = true;
  command.captureOutput = true;
  // Reading the program is not part of its time.
  command.limits.wall = std::chrono::milliseconds(share) + std::chrono::seconds(30);
  const native::Outcome outcome = native::run(command, &session_.interruption.stop);
  const std::string first = out + "/bugs/000001";
  if (fs::exists(first, failed)) return bugText(first, copy_);
  if (!outcome.ok() && outcome.kind != native::Outcome::Kind::Stopped) {
    const std::string why =
        fmt::format("exploring around a failing test: {}: {}", native::describe(outcome),
                    outcome.output.substr(0, outcome.output.find('\n')));
    if (told_.insert(why).second) session_.observer.warn(why);
  }
  return "";
}

llvm::Expected<std::string> RepairExplorer::bug(const std::string &program) {
  for (size_t run = 0; run < runs_.size(); ++run)
    if (llvm::Expected<std::string> found = exploreFrom(run, program); !found || !found->empty())
      return found;
  return "";
}

} // namespace fathom::run
