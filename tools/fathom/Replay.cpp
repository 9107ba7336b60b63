// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom replay: the native trace variant, and every test on it.
#include "Command.h"
#include "Status.h"

#include "report/Files.h"
#include "report/ReplayReport.h"
#include "report/RunFile.h"
#include "report/Tests.h"
#include "run/replay/TraceReplay.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <memory>
#include <sys/stat.h>
#include <unistd.h>

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

bool isExecutable(const std::string &file) {
  return access(file.c_str(), X_OK) == 0 && !llvm::sys::fs::is_directory(file);
}

std::vector<std::string> writableDirectories(const ReplayFlags &flags) {
  if (!flags.writable.empty() && flags.binary.empty())
    throw UsageError("--writable: only with --binary; otherwise the engine's model of the "
                     "environment says where tests may write");
  std::vector<std::string> out;
  for (const std::string &directory : flags.writable) {
    llvm::SmallString<256> real;
    if (llvm::sys::fs::real_path(directory, real) || !llvm::sys::fs::is_directory(real))
      throw UsageError(fmt::format("--writable {}: no such directory", directory));
    if (real == "/")
      throw UsageError("--writable /: this would allow changes to every file of this machine");
    out.push_back(real.str().str());
  }
  return out;
}

/// The engine's own coverage stays beside the native one.
llvm::Error writeCoverage(const report::Directory &folder, const std::string &lcov) {
  llvm::Expected<report::Directory> coverage =
      report::Directory::openOrCreate(folder.path() + "/coverage");
  if (!coverage) return coverage.takeError();
  if (coverage->exists("lcov.info") && !coverage->exists("explore.info"))
    if (auto e = coverage->rename("lcov.info", "explore.info")) return e;
  return coverage->replace("lcov.info", lcov);
}

/// Those of an earlier replay stay where this one is poorer: tests did not run.
/// \param layout  of the trace variant; null: another build ran, which tells no coverage.
llvm::Error writeResults(const ReplayFlags &flags, const char *name, const std::string &json,
                         const report::ReplayResult &result, const program::TraceLayout *layout,
                         Log &log) {
  report::Directory folder = orUsage(report::Directory::openOrCreate(flags.folder));
  if (result.skipped && folder.exists(name)) {
    log.warn(fmt::format("{} tests did not run: {} and coverage are still those of the last replay",
                         result.skipped, name));
    return llvm::Error::success();
  }
  if (auto e = folder.replace(name, json)) return e;
  if (!layout) return llvm::Error::success();
  return writeCoverage(folder, report::replayLcov(result, *layout));
}

/// What the tests could change all the same.
void warnOfGaps(native::Confined::By confinedBy, Log &log) {
  if (confinedBy == native::Confined::By::Nothing)
    log.warn("this machine allows neither read-only mounts nor Landlock: the tests could write "
             "wherever you can");
  if (confinedBy == native::Confined::By::Landlock && geteuid() == 0)
    log.warn("this machine does not allow read-only mounts, only Landlock: the tests could change "
             "modes, owners and times of any file");
}

/// A replay whose tests all take another way says more of us than of the program: not in silence.
/// One test alone says nothing of the program.
void warnOfDifferences(const ReplayFlags &flags, const report::ReplayTotals &totals, bool isTraced,
                       Log &log) {
  if (isTraced && totals.tests > totals.unwritten && !totals.traceCompared)
    log.warn(fmt::format("{}: no run reported its branches, so no path could be compared",
                         flags.program));
  if (totals.diverged && totals.diverged == totals.traceCompared)
    log.warn(fmt::format("{}: {}; with --fail-on-divergence, the exit status is 1", flags.program,
                         totals.tests == 1 ? "the test diverges natively"
                                           : "every test diverges natively: this may not be the "
                                             "program that was explored"));
}

int runReplay(const ReplayFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  common.checkJobs();
  const bool inStore = report::isInStore(flags.folder);
  if (!inStore && !llvm::sys::fs::is_directory(flags.folder))
    throw UsageError(fmt::format(
        "{}: {}; expected a results folder of fathom explore, or the folder of one test",
        flags.folder,
        llvm::sys::fs::exists(flags.folder) ? "not a directory" : "no such directory"));
  requireRegularPrograms({flags.program});
  orThrow(run::refuseOtherEntry(flags.folder));
  orThrow(run::refuseOtherProgram(flags.folder, flags.program));
  umask(022); // as the model of the environment has it

  report::ReplayOptions options;
  options.folder = flags.folder;
  options.jobs = common.jobs;
  options.maxTime = common.time();
  options.testTime = parseDuration("--test-time", flags.testTime);
  options.testMemoryBytes = parseSize("--test-memory", flags.testMemory);
  options.writable = writableDirectories(flags);
  options.sample = flags.sample;
  options.stop = &context.stop;
  report::NativeVariant variant;
  run::Session session = context.session();
  std::string shownProgram = flags.program;
  if (!flags.binary.empty()) {
    if (!isExecutable(flags.binary))
      throw UsageError(fmt::format("--binary {}: not an executable", flags.binary));
    options.executable = flags.binary;
  } else if (const auto sanitized =
                 orThrow(run::prepareSanitized(flags.folder, flags.program, options, session))) {
    shownProgram += fmt::format(" with --sanitize {}, as in the campaign", sanitized->sanitizers);
  } else {
    variant = orThrow(run::prepareTrace(flags.folder, flags.program, options, session));
    options.layout = &variant.layout;
    if (isExecutable(flags.program)) options.nativeProgram = absolutePath(flags.program);
    options.fathom = Installation::get().bin + "/fathom"; // names the branch where a test parts
  }
  Status status(/*enabled=*/!common.quiet);
  options.progress = [&](size_t done, size_t all) {
    status.show(fmt::format("{} of {} tests replayed", done, all));
  };
  context.catchInterrupts();
  report::ReplayResult result = orUsage(report::replay(options));
  status.clear();

  report::ReplayTotals totals = report::totals(result, options.layout);
  std::string json = report::replayJson(result, totals, options.executable, options.layout);
  if (result.tests.empty() && !result.damaged.empty() && !result.skipped)
    throw UsageError(fmt::format("{}: no test could be replayed; the first failed with: {}",
                                 flags.folder, result.damaged[0]));
  const char *resultName = flags.binary.empty() ? "replay.json" : "replay-binary.json";
  llvm::Error notWritten = llvm::Error::success();
  // A single test's folder stays as it is.
  if (!inStore && access((flags.folder + "/args.json").c_str(), F_OK) != 0)
    notWritten = writeResults(flags, resultName, json, result, options.layout, context.log);
  if (common.json)
    fputs(json.c_str(), stdout);
  else if (!common.quiet)
    fputs(report::replayText(result, totals, shownProgram, resultName, options.layout,
                             Installation::get().sysroot)
              .c_str(),
          stdout);
  orUsage(std::move(notWritten)); // a full disk; what was found has been said
  if (!result.tests.empty()) warnOfGaps(result.confinedBy, context.log);
  warnOfDifferences(flags, totals, options.layout != nullptr, context.log);
  const bool finds = common.failOnFindings && totals.bugsReproduced;
  const bool differs = flags.failOnDivergence && (totals.differing || !result.damaged.empty());
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
