// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the tests of a results folder on a native program and holds what happens against what the
// engine has seen (docs/replay.md): exit status, output, branch trace; and which bugs show
// themselves. Tests can change files only where the model of the environment lets them.
#ifndef FATHOM_REPORT_REPLAY_H
#define FATHOM_REPORT_REPLAY_H

#include "native/Confine.h"
#include "native/Process.h"
#include "report/NativeVariant.h"
#include "report/TestFolder.h"
#include "report/Tests.h"
#include "report/TraceFile.h"

#include <atomic>
#include <functional>
#include <optional>

namespace fathom::report {

struct ReplayOptions {
  std::string folder; ///< see Tests::open
  std::string executable;
  const program::TraceLayout *layout =
      nullptr; ///< of the trace variant; null: another build (--binary, or that of a campaign with
               ///< a sanitizer), only its end is compared
  /// The program itself, for bugs that the trace variant does not show; empty: there is none.
  std::string nativeProgram;
  bool isFuzzedVariant = false;         ///< the executable is a campaign's build, with a sanitizer
  std::vector<std::string> environment; ///< NAME=VALUE, for the executable, beside the test's
  /// For functions that the program has no code of: fathom-native-helper, and the libraries that
  /// have them. Without libraries, a test that calls one ends there.
  std::string nativeHelper;
  std::vector<std::string> libraries;
  std::vector<std::string> writable; ///< directories, beside those that always are (docs/replay.md)
  /// Our own executable, which finds the branch at which a test diverges from the engine's path.
  /// Empty: the branch is not looked for.
  std::string fathom;
  unsigned maxDivergences =
      10; ///< so many tests have their branch looked for; each costs about a second
  unsigned jobs = 1;
  std::chrono::milliseconds testTime{10000};
  uint64_t testMemoryBytes = uint64_t(2)
                             << 30;     ///< not for other builds: sanitizers reserve terabytes
  std::chrono::milliseconds maxTime{0}; ///< for all of it; 0: no bound
  const std::atomic<bool> *stop = nullptr;
  std::function<bool(const Tests::Item &)> wants; ///< which tests; null: all, and all bugs
  /// So many of the wanted tests in the store are drawn at random, the same ones each time; 0: all.
  /// Tests with folders, which are the first that cover something, and bugs run anyway.
  size_t sample = 0;
  /// Indices of bytes of the layout's coverage: ReplayedTest::hitsCoverIndex tells which runs hit
  /// one of them. enough: no further test is begun once so many have; 0: all are run.
  std::vector<uint32_t> coverIndices;
  uint64_t enough = 0;
  std::function<void(size_t done, size_t all)> progress; ///< called by one thread at a time
};

enum class BugVerdict : uint8_t {
  Reproduced,
  OtherPlace, ///< the same kind of error, of another line of the program
  OtherCrash,
  NoCrash,
  NoSymptom ///< nothing that a run without sanitizers could show
};

/// One branch, and where it went.
struct BranchSide {
  uint32_t id = 0;   ///< in the layout
  uint32_t side = 0; ///< 0 or 1 (true); of a switch: the case's number, 0 the default
};
/// The first branch at which the native run is not where the engine's path is.
struct Divergence {
  uint64_t number = 0;                      ///< from 1
  std::optional<BranchSide> engine, native; ///< none: it ended before
};

/// One test, after its native run.
struct ReplayedTest {
  std::string dir; ///< "tests/000001", also where that is no folder: it is in the store
  bool isBug = false;
  native::Outcome outcome;
  std::string expected; ///< "exit status 0", "signal SIGABRT", "a bug", "an unfinished path"
  bool statusCompared = false, statusAgrees = true;
  bool outputCompared = false, stdoutAgrees = true, stderrAgrees = true;
  bool traceCompared = false;
  /// Its path depends on memory that was never written: nothing of it is compared. Did it differ?
  bool usesUnwritten = false, tookAnotherWay = false;
  bool hitsCoverIndex = false; ///< the run hit one of ReplayOptions::coverIndices
  uint64_t expectedCount = 0;
  TraceCheck trace;
  std::optional<Divergence> divergence; ///< of the first few that differ
  std::string noDivergenceReason;       ///< why none was found, if it was looked for
  std::optional<evidence::BugKind> bugKind;
  BugVerdict verdict = BugVerdict::NoCrash;
  std::string symptom; ///< of a bug: "signal SIGSEGV", "AddressSanitizer: heap-buffer-overflow"
  bool hasUnknownPlace = false; ///< of a bug: a signal shows it, in which line is not known
  std::string report;           ///< of a test: what a sanitizer says first; empty: nothing

  bool differs() const {
    return !statusAgrees || !stdoutAgrees || !stderrAgrees || (traceCompared && !trace.same);
  }
};

struct ReplayResult {
  std::vector<ReplayedTest> tests;  ///< in order of their names, tests first, then bugs
  std::vector<std::string> damaged; ///< one line each
  std::vector<uint32_t>
      runsPerByte;     ///< for each byte of the layout's coverage: how many runs hit it
  size_t skipped = 0;  ///< not run: time was up, or it was interrupted
  size_t notDrawn = 0; ///< of the store: ReplayOptions::sample
  native::Confined::By confinedBy = native::Confined::By::Nothing; ///< what held the tests
  double seconds = 0;
};

/// Errors: the folder has no tests; the scratch folder cannot be made. A test that cannot be read
/// or run is in `damaged`.
llvm::Expected<ReplayResult> replay(const ReplayOptions &options);

} // namespace fathom::report
#endif
