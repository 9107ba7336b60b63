// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom replay: flags in, text out. The driver is lib/run/replay/Replay.h.
#include "Command.h"

#include "run/replay/Replay.h"

#include <memory>

namespace fathom::tool {

namespace {

struct ReplayFlags {
  CommonOptions common;
  std::string program, folder, binary, testTime = "10s", testMemory = "2G";
  std::vector<std::string> writable;
  bool failOnDivergence = false;
  size_t sample = 0;
};

const char *const kReplayFooter =
    R"(Every test runs in a directory of its own that holds only the test's files; it gets the test's standard input. Fathom
builds the native program from the same bitcode, and it reports its branches under the engine's numbers. A test
diverges if it takes another path than the engine did.
The bugs of a campaign with --sanitize run on the program with the same checks.
Tests can change files only in their own directory, /tmp, /var/tmp and /dev/shm; with --binary also in the binary's
directory, in $GCOV_PREFIX, beside $LLVM_PROFILE_FILE and in --writable directories.
fathom replay writes replay.json and coverage/lcov.info to DIR.

example:
  fathom replay src/cut fathom-out
  fathom replay src/cut fathom-out --binary build-asan/src/cut
  fathom replay src/cut fathom-out/bugs/000001)";

int runReplay(const ReplayFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  common.checkJobs();
  run::ReplayRequest request;
  request.program = flags.program;
  request.folder = flags.folder;
  request.binary = flags.binary;
  request.writable = flags.writable;
  request.jobs = common.jobs;
  request.maxTime = common.time();
  request.testTime = parseDuration("--test-time", flags.testTime);
  request.testMemoryBytes = parseSize("--test-memory", flags.testMemory);
  request.sample = flags.sample;
  run::Session session = context.session();
  const run::ReplayedTests done = orThrow(run::replayTests(request, session));
  if (common.json)
    fputs(report::replayJson(done.result, done.totals, done.executable, done.layout()).c_str(),
          stdout);
  else if (!common.quiet)
    fputs(report::replayText(done.result, done.totals, done.shownProgram, done.resultName,
                             done.layout(), Installation::get().sysroot)
              .c_str(),
          stdout);
  if (!done.notWritten.empty())
    throw UsageError(done.notWritten); // a full disk; what was found has been said
  for (const std::string &warning : done.warnings) context.log.warn(warning);
  const bool finds = common.failOnFindings && done.totals.bugsReproduced;
  const bool differs =
      flags.failOnDivergence && (done.totals.differing || !done.result.damaged.empty());
  return finds || differs ? kFindings : kDone;
}

} // namespace

Run declareReplay(CLI::App &app) {
  auto flags = std::make_shared<ReplayFlags>();
  app.footer(kReplayFooter);
  app.add_option("PROGRAM", flags->program,
                 "the program that was explored: an executable that fathom-cc linked, or its .bc")
      ->required();
  app.add_option("DIR", flags->folder, "a results folder, or the folder of one test")->required();
  flags->common.add(app, /*withOutput=*/false);
  app.add_flag("--fail-on-findings", flags->common.failOnFindings,
               "exit with status 1 if a bug reproduces");
  app.add_flag("--fail-on-divergence", flags->failOnDivergence,
               "exit with status 1 if a test cannot run, or differs natively in its path, exit "
               "status or output");
  app.add_option(
         "--binary", flags->binary,
         "run the tests on this build of the program; compares how it ends, not paths or output")
      ->type_name("PATH");
  app.add_option("--writable", flags->writable,
                 "with --binary: let tests change this directory, too; may be repeated")
      ->allow_extra_args(false)
      ->type_name("DIR");
  app.add_option("--sample", flags->sample,
                 "of the tests in tests.store, run N drawn at random (the same ones each time); "
                 "tests with folders and bugs run anyway, so coverage stays complete")
      ->check(CLI::Range(size_t(1), size_t(1) << 31))
      ->type_name("N");
  app.add_option("--test-time", flags->testTime, "time limit of one test")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--test-memory", flags->testMemory,
                 "limit of the heap blocks of one test (not with --binary)")
      ->capture_default_str()
      ->type_name("SIZE");
  return [flags](Context &context) { return runReplay(*flags, context); };
}

} // namespace fathom::tool
