// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/replay/Replay.h"

#include "run/replay/Umask.h"

#include "report/Files.h"
#include "report/Tests.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/replay/TraceReplay.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

namespace fathom::run {

namespace {

bool isExecutable(const std::string &file) {
  return access(file.c_str(), X_OK) == 0 && !llvm::sys::fs::is_directory(file);
}

} // namespace

static llvm::Expected<std::vector<std::string>> writableDirectories(const ReplayRequest &request) {
  if (!request.writable.empty() && request.binary.empty())
    return usageError("--writable: only with --binary; otherwise the engine's model of the "
                      "environment says where tests may write");
  std::vector<std::string> out;
  for (const std::string &directory : request.writable) {
    llvm::SmallString<256> real;
    if (llvm::sys::fs::real_path(directory, real) || !llvm::sys::fs::is_directory(real))
      return usageError(fmt::format("--writable {}: no such directory", directory));
    if (real == "/")
      return usageError("--writable /: this would allow changes to every file of this machine");
    out.push_back(real.str().str());
  }
  return out;
}

/// The engine's own coverage stays beside the native one.
static llvm::Error writeCoverage(const report::Directory &folder, const std::string &lcov) {
  llvm::Expected<report::Directory> coverage =
      report::Directory::openOrCreate(folder.path() + "/coverage");
  if (!coverage) return coverage.takeError();
  if (coverage->exists("lcov.info") && !coverage->exists("explore.info"))
    if (auto e = coverage->rename("lcov.info", "explore.info")) return e;
  return coverage->replace("lcov.info", lcov);
}

/// Those of an earlier replay stay where this one is poorer: tests did not run.
static llvm::Error writeResults(const ReplayRequest &request, const ReplayedTests &done,
                                Session &session) {
  llvm::Expected<report::Directory> folder = report::Directory::openOrCreate(request.folder);
  if (!folder) return folder.takeError();
  if (done.result.skipped && folder->exists(done.resultName)) {
    session.observer.warn(
        fmt::format("{} tests did not run: {} and coverage are still those of the last replay",
                    done.result.skipped, done.resultName));
    return llvm::Error::success();
  }
  if (auto e = folder->replace(done.resultName, report::replayJson(done.result, done.totals,
                                                                   done.executable, done.layout())))
    return e;
  if (!done.layout()) return llvm::Error::success(); // another build ran, which tells no coverage
  return writeCoverage(*folder, report::replayLcov(done.result, *done.layout()));
}

/// What the tests could change all the same.
static void addGaps(ReplayedTests &done) {
  if (done.result.tests.empty()) return;
  if (done.result.confinedBy == native::Confined::By::Nothing)
    done.warnings.emplace_back("this machine allows neither read-only mounts nor Landlock: the "
                               "tests could write wherever you can");
  if (done.result.confinedBy == native::Confined::By::Landlock && geteuid() == 0)
    done.warnings.emplace_back("this machine does not allow read-only mounts, only Landlock: the "
                               "tests could change modes, owners and times of any file");
}

/// A replay whose tests all take another way says more of us than of the program: not in silence.
/// One test alone says nothing of the program.
static void addDifferences(const ReplayRequest &request, ReplayedTests &done) {
  const report::ReplayTotals &totals = done.totals;
  if (done.isTraced && totals.tests > totals.unwritten && !totals.traceCompared)
    done.warnings.push_back(fmt::format(
        "{}: no run reported its branches, so no path could be compared", request.program));
  if (totals.diverged && totals.diverged == totals.traceCompared)
    done.warnings.push_back(
        fmt::format("{}: {}; with --fail-on-divergence, the exit status is 1", request.program,
                    totals.tests == 1 ? "the test diverges natively"
                                      : "every test diverges natively: this may not be the "
                                        "program that was explored"));
}

static llvm::Error validate(const ReplayRequest &request) {
  if (!report::isInStore(request.folder) && !llvm::sys::fs::is_directory(request.folder))
    return usageError(fmt::format(
        "{}: {}; expected a results folder of fathom explore, or the folder of one test",
        request.folder,
        llvm::sys::fs::exists(request.folder) ? "not a directory" : "no such directory"));
  if (llvm::Error e = requireRegularPrograms({request.program})) return e;
  if (llvm::Error e = refuseOtherEntry(request.folder)) return e;
  return refuseOtherProgram(request.folder, request.program);
}

/// What runs: the binary, a variant with sanitizers, or the trace variant.
static llvm::Error prepare(const ReplayRequest &request, report::ReplayOptions &options,
                           ReplayedTests &out, Session &session) {
  out.shownProgram = request.program;
  if (!request.binary.empty()) {
    if (!isExecutable(request.binary))
      return usageError(fmt::format("--binary {}: not an executable", request.binary));
    options.executable = request.binary;
    return llvm::Error::success();
  }
  auto sanitized = prepareSanitized(request.folder, request.program, options, session);
  if (!sanitized) return sanitized.takeError();
  if (*sanitized) {
    out.shownProgram +=
        fmt::format(" with --sanitize {}, as in the campaign", (*sanitized)->sanitizers);
    return llvm::Error::success();
  }
  auto variant = prepareTrace(request.folder, request.program, options, session);
  if (!variant) return variant.takeError();
  out.variant = std::move(*variant);
  out.isTraced = true;
  options.layout = &out.variant.layout;
  if (isExecutable(request.program)) options.nativeProgram = absolutePath(request.program);
  options.fathom = Installation::get().fathom; // names the branch where a test parts
  return llvm::Error::success();
}

llvm::Expected<ReplayedTests> replayTests(const ReplayRequest &request, Session &session) {
  if (llvm::Error e = validate(request)) return std::move(e);
  const Umask umask;
  report::ReplayOptions options;
  options.folder = request.folder;
  options.jobs = request.jobs;
  options.maxTime = request.maxTime;
  options.testTime = request.testTime;
  options.testMemoryBytes = request.testMemoryBytes;
  options.sample = request.sample;
  options.stop = &session.interruption.stop;
  auto writable = writableDirectories(request);
  if (!writable) return writable.takeError();
  options.writable = std::move(*writable);
  ReplayedTests out;
  if (llvm::Error e = prepare(request, options, out, session)) return std::move(e);
  options.progress = [&](size_t done, size_t all) {
    session.observer.progress(fmt::format("{} of {} tests replayed", done, all));
  };
  session.interruption.begin();
  auto result = asUsage(report::replay(options));
  if (!result) return result.takeError();
  session.observer.endProgress();
  out.result = std::move(*result);
  out.totals = report::totals(out.result, options.layout);
  out.executable = options.executable;
  if (out.result.tests.empty() && !out.result.damaged.empty() && !out.result.skipped)
    return usageError(fmt::format("{}: no test could be replayed; the first failed with: {}",
                                  request.folder, out.result.damaged[0]));
  out.resultName = request.binary.empty() ? "replay.json" : "replay-binary.json";
  // A single test's folder stays as it is.
  if (!report::isInStore(request.folder) &&
      access((request.folder + "/args.json").c_str(), F_OK) != 0)
    if (llvm::Error e = writeResults(request, out, session))
      out.notWritten = llvm::toString(std::move(e));
  addGaps(out);
  addDifferences(request, out);
  return out;
}

} // namespace fathom::run
