// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/FollowTest.h"

#include "native/Process.h"
#include "report/RunFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace fathom::report {

static llvm::Error failed(const std::string &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

static std::vector<std::string> strings(const llvm::json::Object &object, llvm::StringRef name) {
  std::vector<std::string> out;
  if (const llvm::json::Array *list = object.getArray(name))
    for (const llvm::json::Value &v : *list)
      if (auto text = v.getAsString()) out.push_back(text->str());
  return out;
}

/// The flags that the exploration's options come of.
static std::vector<std::string> flagsOf(const llvm::json::Object &options) {
  std::vector<std::string> out;
  for (const auto &[key, value] : options) {
    const std::string name = key.str();
    if (name == "echo-output" || name == "only-new-coverage" || name == "stop-at-first-bug" ||
        name == "only-seeds" || name == "trace-from" || name == "trace-to" || name == "max-forks" ||
        name == "max-instructions")
      continue; // of the run as a whole
    if (auto text = value.getAsString()) {
      if (!text->empty()) out.push_back(fmt::format("--{}={}", name, text->str()));
    } else if (auto isSet = value.getAsBoolean()) {
      out.push_back(fmt::format("--{}={}", name, *isSet ? 1 : 0));
    } else if (auto number = value.getAsInteger()) {
      out.push_back(fmt::format("--{}={}", name, *number));
    }
  }
  return out;
}

static llvm::Expected<native::Command> commandOf(const FollowOptions &options, uint64_t from,
                                                 uint64_t to) {
  const llvm::json::Object &run = options.run;
  const std::vector<std::string> programs = strings(run, "program"),
                                 arguments = strings(run, "arguments");
  const llvm::json::Object *flags = run.getObject("options");
  if (programs.empty() || arguments.empty() || !flags)
    return failed("run.json does not say how the program was explored");
  native::Command c;
  c.program = options.fathom;
  c.arguments = {"fathom", "explore"};
  c.arguments.insert(c.arguments.end(), programs.begin(), programs.end());
  for (std::string &flag : flagsOf(*flags)) c.arguments.push_back(std::move(flag));
  for (const RunLibrary &library : librariesOf(run))
    c.arguments.push_back("--load=" + library.path);
  for (const std::string &variable : strings(run, "environment"))
    c.arguments.push_back("--env=" + variable);
  if (auto root = run.getString("sandbox_root"); root && !root->empty())
    c.arguments.push_back("--sandbox-root=" + root->str());
  if (auto input = run.getString("concrete_stdin"); input && !input->empty())
    c.arguments.push_back("--concrete-stdin=" + input->str());
  c.arguments.insert(c.arguments.end(),
                     {"-q", "--force", "-o", options.scratch + "/results", "--tests=folders",
                      "--only-seeds", "--seeds", options.scratch + "/seeds",
                      fmt::format("--trace-from={}", from), fmt::format("--trace-to={}", to),
                      fmt::format("--max-time={}ms", options.time.count()), "--"});
  c.arguments.insert(c.arguments.end(), arguments.begin() + 1, arguments.end());
  c.inheritEnvironment = true;
  if (auto directory = run.getString("working_directory")) c.directory = directory->str();
  c.stderrFile = options.scratch + "/stderr";
  c.limits.wall = options.time + std::chrono::seconds(10);
  return c;
}

llvm::Expected<std::vector<std::pair<uint64_t, uint64_t>>>
followTest(const StoredTest &test, uint64_t from, uint64_t to, const FollowOptions &options,
           const std::atomic<bool> *stop) {
  (void)llvm::sys::fs::remove_directories(options.scratch);
  llvm::Expected<Directory> scratch = Directory::openOrCreate(options.scratch);
  if (!scratch) return scratch.takeError();
  llvm::Expected<Directory> seeds = scratch->create("seeds");
  if (!seeds) return seeds.takeError();
  if (auto e = writeSeed(*seeds, test)) return std::move(e);
  llvm::Expected<native::Command> command = commandOf(options, from, to);
  if (!command) return command.takeError();
  const native::Outcome outcome = native::run(*command, stop);
  if (!outcome.ok()) return failed("the engine: " + native::describe(outcome));
  llvm::Expected<Directory> tests = Directory::openOrCreate(options.scratch + "/results/tests");
  if (!tests) return tests.takeError();
  for (const std::string &name : tests->entries()) {
    llvm::Expected<StoredTest> again = readTest(tests->path() + "/" + name, /*isBug=*/false);
    if (!again) return again.takeError();
    std::vector<std::pair<uint64_t, uint64_t>> out;
    // One that was unfinished goes on beyond what is stored of it.
    bool isSame = again->trace.count == test.trace.count && again->trace.hash == test.trace.hash;
    for (auto &step : again->trace.checkpoints) {
      isSame |= step == std::pair(test.trace.count, test.trace.hash);
      if (step.first >= from && step.first <= to) out.push_back(step);
    }
    if (isSame) return out;
  }
  return failed("the engine takes another path on the same input");
}

} // namespace fathom::report
