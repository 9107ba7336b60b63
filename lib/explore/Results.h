// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an exploration yields: tests, bugs, the ledger and statistics, as plain data. The engine
// hands them to a ResultSink the moment they exist; writing them to a folder is the report layer's
// work (report/ResultsFolder.h).
#ifndef FATHOM_EXPLORE_RESULTS_H
#define FATHOM_EXPLORE_RESULTS_H

#include "evidence/Fwd.h"
#include "evidence/Input.h"
#include "evidence/StackFrame.h"
#include "explore/CheckTimes.h"
#include "program/Code.h"
#include "solver/Oracle.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fathom::explore {

/// An object made symbolic, in order of creation, for .ktest and for harnesses.
struct SymbolValue {
  std::string name;
  std::vector<uint8_t> data;
};

/// The functions of Bug::related begin with these words, and their callers with "called from".
inline constexpr const char *kAllocatedIn = "allocated in", *kFreedIn = "freed in",
                            *kFailsIn = "allocation fails in";

/// The branches of the program's own code that a path took, as the native replay sees them too.
struct BranchTrace {
  uint64_t count = 0;
  uint64_t hash = 0; ///< FNV-1a-like over (branch id, side): see traceStep
  std::vector<std::pair<uint64_t, uint64_t>>
      checkpoints; ///< (count, hash) at powers of two: tells where a divergence began
};
/// One step of the hash; the native trace runtime computes the same. side: CondJmp 0/1, switch case
/// number (0 = default).
constexpr uint64_t traceStep(uint64_t hash, uint32_t branchId, uint32_t side) {
  return (hash ^ ((uint64_t(branchId) << 20) + side + 1)) * 0x9E3779B97F4A7C15ull ^ (hash >> 29);
}
/// The branch that took one hash to the next: (id << 20) + side. Nonsense for other hashes.
constexpr uint64_t traceBranchBetween(uint64_t hash, uint64_t next) {
  uint64_t inverse = 0x9E3779B97F4A7C15ull; // Newton: each step doubles the bits that are right
  for (int i = 0; i < 5; i++) inverse *= 2 - 0x9E3779B97F4A7C15ull * inverse;
  return (((next ^ (hash >> 29)) * inverse) ^ hash) - 1;
}
inline constexpr uint64_t kTraceSeed = 0xcbf29ce484222325ull;

enum class EndKind : uint8_t {
  Exit,
  Signal,
  Bug,
  Partial
}; ///< Partial: unfinished when a budget ended

/// The program gave no exit status (`void main`): a native run returns what a register holds.
inline constexpr int kNoStatus = -1;

/// One explored path with an input that follows it.
struct TestCase {
  std::vector<evidence::Input> inputs; ///< with the values that one model gives them
  std::vector<SymbolValue> symbols;
  std::string stdoutData, stderrData; ///< as interpreted
  EndKind end = EndKind::Exit;
  int status = 0; ///< exit status, kNoStatus, or signal number
  BranchTrace trace;
  uint64_t instructions = 0;
  uint32_t decisions = 0; ///< forks on this path
  bool coversNew = false; ///< it covers something that no earlier test covers
  std::string why;        ///< "path completed", "new coverage", "partial: ..."
  uint64_t path = 0;      ///< identifies the path, across processes: a hash of its log (of a
                          ///< bug: and of what it is)
  std::string smtLib; ///< the path's condition as SMT-LIB2 (expr/SmtLibScript.h); "": not asked for
  bool usesExternal = false; ///< the path made external calls: divergence is possible
  /// A decision on the path depended on memory that was never written. A native run finds other
  /// values there, so the test can take another path.
  bool usesUninit = false;
  /// The path's allocations that the engine let fail (State::failedAllocations).
  std::vector<uint32_t> failedAllocations;
};

struct Bug {
  evidence::BugKind kind{};
  std::string
      message; ///< one line, lower case: "read of 4 bytes at offset 16 of a 16-byte heap object"
  std::vector<evidence::StackFrame> stack; ///< innermost first; the location is the first own frame
  std::vector<evidence::StackFrame> related; ///< where the object was allocated / freed: function
                                             ///< "allocated in ...", may be empty
  /// For an uninitialised read: the bytes that it depends on (Unwritten::Source). Two reads with a
  /// common byte are one bug, wherever they are used.
  std::vector<uint64_t> sources;
  TestCase test;
  /// Other inputs continue the path from here. If the bug is known already, the test at the path's
  /// end is enough.
  bool pathGoesOn = false;
  /// The place has enough reports, so the bug gets none of its own, and the ledger says so.
  bool beyondBound = false;
};

/// The detail of missing files that have no entry of their own.
inline constexpr const char *kOtherNames = "other names";

/// Things the answer does not cover. Key: (category, location text "file:line in function",
/// detail).
class Ledger {
public:
  struct Key {
    evidence::LedgerCategory category{};
    std::string location, detail;
    auto operator<=>(const Key &) const = default;
  };
  /// While muted, nothing is added: a replay passes what is in the ledger already.
  void mute(bool on) { muted_ = on; }
  void add(evidence::LedgerCategory category, std::string location, std::string detail,
           uint64_t count = 1);
  const std::map<Key, uint64_t> &entries() const { return entries_; }
  /// Hashes of the missing files' names that have no entry of their own; the smallest
  /// kMaxUnnamed of them, so their number is exact below that.
  const std::set<uint64_t> &unnamed() const { return unnamed_; }
  void addUnnamed(uint64_t hash);
  static constexpr size_t kMaxNamed = 64, kMaxUnnamed = 4096;
  bool empty() const { return entries_.empty(); }
  /// Is the entry an assumption, which leaves out nothing of what the user asked for? Allocations
  /// succeed, unless the options say otherwise, and the environment lacks what the program looks
  /// for.
  static bool isAssumption(const Key &key);
  /// Does the ledger hold assumptions only?
  bool isComplete() const;

private:
  /// A program can make up names of files. The smallest kMaxNamed have entries of their own, and
  /// the others are counted in one entry for each place. Which names these are depends neither on
  /// the order of the paths nor on the workers.
  void addMissing(Key key, uint64_t count);

  std::map<Key, uint64_t> entries_;
  std::map<std::string, std::set<std::string>> missing_; ///< those with entries: where each is
  std::set<uint64_t> unnamed_;
  bool muted_ = false;
};

/// Why the exploration ended.
enum class StopReason : uint8_t {
  Exhausted,
  MaxTime,
  MaxInstructions,
  MaxMemory,
  Interrupted,
  FirstBug,
  DiskFull,
  NoWorkers,
  InternalError,
  Crashed ///< only paths are left on which worker processes crashed
};
const char *
text(StopReason reason); ///< "no state left to explore", "time budget spent (--max-time)" ...

struct Stats {
  double wallSeconds = 0;
  /// ExploreOptions::countsSteps: what the steps take by definition (support/Steps.h).
  uint64_t stepNanoseconds = 0;
  bool isBehind = false; ///< ... and they took far more: a limit may have come sooner than by steps
  double workerSeconds = 0; ///< of all workers together, which solverSeconds is a part of
  uint64_t instructions = 0, states = 0, forks = 0, pathsCompleted = 0, tests = 0, bugs = 0,
           partialTests = 0, bugTests = 0; ///< of tests: unfinished; ending in a bug that is known
  uint64_t liveStates = 0, pathsTerminatedEarly = 0;
  uint64_t crashedPaths = 0;         ///< dropped, because worker processes crashed on them
  uint64_t sidesLeft = 0,            ///< ways that paths passed without asking (Pending.h)
      sidesAsked = 0,                ///< of these, later, or reported as bugs before
      sidesClosed = 0,               ///< ... and found infeasible
      sidesOpen = 0;                 ///< of liveStates: they wait to be asked
  uint64_t replayedInstructions = 0; ///< on the way to restored states; not part of `instructions`
  uint64_t queries = 0;
  double solverSeconds = 0;
  double runningQuerySeconds = 0; ///< for onProgress: so long does the longest query last by now
  CheckTimes checkTimes; ///< of branches and other single conditions, the witness stage included
  std::vector<solver::StageStats> stages;
  uint64_t peakMemoryBytes = 0;
  uint64_t branchesCovered = 0, branchesTotal = 0; ///< sides of the program's own branches
  uint64_t linesCovered = 0, linesTotal = 0;       ///< of the program's own functions
  uint64_t seedsGiven = 0;
  uint64_t inputsTaken = 0;   ///< offered ones (work/InputSource.h) that were begun
  uint64_t seedsFollowed = 0, ///< to the end of their path
      seedsCut = 0,           ///< of these: longer than the symbolic input that they went to
      seedBytesCut = 0;       ///< ... by so much together
  double lastSeedSeconds = 0; ///< when the last of them was there, as the coordinator heard of it
  uint64_t symbols = 0;       ///< objects made symbolic, on all paths
  uint64_t externalCalls = 0, concretizations = 0;
  uint64_t untriedFailures = 0;  ///< allocations that were not tried to fail
  uint64_t deferredCalls = 0;    ///< of external functions, with results that are symcretes
  uint64_t symcretes = 0;        ///< bytes of results of external functions, on all paths
  uint64_t externalExecuted = 0, ///< in a child process; other answers were remembered
      externalFaults = 0,        ///< ... that crashed, hung, exited or wrote elsewhere
      externalValidated = 0,     ///< results of models, executed once more in a fresh process
      externalDisagreements = 0; ///< ... that gave something else
  double externalSeconds = 0;    ///< spent waiting for external functions
  uint64_t exactQueries = 0;     ///< about results of external functions
  uint64_t openedStates = 0;     ///< of `states`: behind a branch that needed another result
  uint64_t pointerForks = 0, pointerItes = 0,
           pointerConcretized = 0;                ///< how symbolic pointers were resolved
  uint64_t symbolicSizes = 0;                     ///< blocks and copies whose size stayed a term
  uint64_t mergedByPattern = 0, mergedByTree = 0, ///< states made from several
      mergedPaths = 0,                            ///< from so many together
      joinedRounds = 0,                           ///< states made from several at a loop's header
      mergesChecked = 0, mergesWrong = 0,         ///< --check-merges
      mergeQuestionsOpen = 0;                     ///< ... and Z3 did not know
  uint64_t guessedFeasible = 0, guessedInfeasible = 0, ///< sides that were not asked about
      wrongGuesses = 0, ///< of the former: states that could not be where they were
      guessedPaths = 0; ///< completed paths that no query checked
  StopReason stop = StopReason::Exhausted;
};

void add(Ledger &sum, const Ledger &other);
/// Adds another process's counts to these. Times, covered and stop reason are left as they are:
/// they do not add up.
void add(Stats &sum, const Stats &other);

/// The lines of the program's own code: covered or not, without counts.
struct LineCoverage {
  std::map<std::string, std::map<uint32_t, bool>> files; ///< file -> line -> covered
};

/// Receives results as they appear. Every call returns false when it could not store (disk full):
/// the exploration then stops cleanly with StopReason::DiskFull. What is on its way still arrives,
/// so that the sink can count what is lost.
class ResultSink {
public:
  virtual ~ResultSink() = default;
  virtual bool onTest(const TestCase &test) = 0;
  virtual bool onBug(const Bug &bug) = 0;
  /// About once per second, from the main loop: for the live status line.
  virtual void onProgress(const Stats &stats) = 0;
  /// The interpreted program wrote this to its standard output or error (only with echo switched
  /// on; concrete bytes).
  virtual void onEcho(int fd, const std::string &data) = 0;
  /// An unfinished path covers something new: its input so far. Only with ExploreOptions::inputs,
  /// whose source wants to know at once.
  virtual bool onInput(const TestCase &test) {
    (void)test;
    return true;
  }
  /// Receives a checkpoint of the exploration (Checkpoint, Protocol.h). Results that were delivered
  /// before belong to it, later ones do not. It replaces the checkpoint before.
  virtual bool onCheckpoint(const std::string &encoded) {
    (void)encoded;
    return true;
  }
};

} // namespace fathom::explore
#endif
