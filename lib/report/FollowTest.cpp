// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/FollowTest.h"

#include "report/Rerun.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace fathom::report {

static llvm::Error failed(const std::string &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

static llvm::Expected<native::Command> commandOf(const FollowOptions &options, uint64_t from,
                                                 uint64_t to) {
  llvm::Expected<Rerun> rerun = rerunOf(options.run, {}, options.fathom);
  if (!rerun) return rerun.takeError();
  native::Command &c = rerun->command;
  c.arguments.insert(c.arguments.end(),
                     {"-q", "--force", "-o", options.scratch + "/results", "--tests=folders",
                      "--only-seeds", "--seeds", options.scratch + "/seeds",
                      fmt::format("--trace-from={}", from), fmt::format("--trace-to={}", to),
                      fmt::format("--max-time={}ms", options.time.count()), "--"});
  c.arguments.insert(c.arguments.end(), rerun->arguments.begin(), rerun->arguments.end());
  c.stderrFile = options.scratch + "/stderr";
  c.limits.wall = options.time + std::chrono::seconds(10);
  return std::move(c);
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
