// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop: picks a state, runs it, and takes in the result, until a budget ends.
#ifndef FATHOM_EXPLORE_WORK_EXPLORER_H
#define FATHOM_EXPLORE_WORK_EXPLORER_H

#include "explore/Explore.h"
#include "explore/search/Searcher.h"
#include "explore/SymbolicExecutor.h"
#include "explore/work/InputTurns.h"
#include "explore/work/StepTally.h"
#include "support/Rng.h"

#include <deque>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <unordered_map>
#include <unordered_set>

namespace fathom::explore {

class Explorer {
public:
  Explorer(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
           const std::atomic<bool> &stop);

  /// False: `error` says why there can be no exploration.
  bool start(std::string &error);
  /// Adds a path to be explored here; the empty log is the start of the program. The path is
  /// replayed when there is room for its state.
  void add(PathPrefix prefix) {
    (prefix.input && prefix.log.empty() ? inputs_.waiting : suspended_)
        .push_back(std::move(prefix));
  }
  /// Explores until no state is left or a budget is spent (result().stats.stop). `between`, if
  /// given, is called every few milliseconds, when no state runs.
  void explore(const std::function<void()> &between = {});
  /// Returns up to `most` paths, at most half of all, and drops them here: suspended ones, or else
  /// those nearest to the start. `identities` gets the decided identities of those that have one.
  std::vector<PathPrefix> giveAway(size_t most, std::vector<uint64_t> &identities);
  /// Until the next call of giveAway(): explore() calls `between` at once when there are two paths.
  /// The first fork parts the work best, and costs nothing to follow.
  void listenAtFork() { listensAtFork_ = true; }
  /// All unfinished paths, encoded as a list of PathPrefix (Protocol.h). All results so far come
  /// from paths that ended. Linear in the number of paths and the differences of their logs.
  std::string frontier() const;
  /// Resident bytes that this process may have from now on; 0: no bound.
  void limitMemory(uint64_t bytes) { memoryLimit_ = bytes; }
  /// A path that must not be followed: it ended a worker again and again. Its state is dropped.
  void avoid(uint64_t logHash) { avoided_.insert(logHash); }
  /// Paths that go on elsewhere (hashes of their logs, identities), for those that are added with
  /// this number (PathPrefix::excludedPaths).
  void leaveOut(uint32_t number, std::unordered_set<uint64_t> paths) {
    elsewhere_[number] = std::move(paths);
  }
  /// Stands for the path while it is replayed: a crash then is one of the replay, not of what
  /// follows.
  static constexpr uint64_t onTheWayTo(uint64_t logHash) { return ~logHash; }
  /// `place` outlives this object. Before a state runs, it is set to the hash of its log; before a
  /// replay, to onTheWayTo() of the hash. The coordinator reads it to find out on which path a
  /// worker crashed.
  void announceIn(volatile uint64_t *place) { announce_ = place; }
  /// Own instructions and branch sides that were covered first since the last call; and those that
  /// others have covered.
  std::vector<uint32_t> takeCovered();
  void noteCovered(const std::vector<uint32_t> &others);
  /// Forgets coverage that only a lost worker had reported.
  void forgetCovered(const std::vector<uint32_t> &others);

  /// Ends the exploration: makes partial tests of unfinished paths, statistics and coverage. `why`:
  /// the reason for which the whole exploration ends, which may be another worker's budget.
  ExploreResult finish(StopReason why);
  const Stats &statistics(); ///< so far
  size_t unfinished() const;
  const std::string &error() const { return result_.error; } ///< why there can be no exploration
  const Ledger &ledger() const { return result_.ledger; }
  StopReason stopReason() const { return result_.stats.stop; }

private:
  bool budgetsHold();
  void spendSteps();     ///< that were done since the last call, where the clock counts them
  bool revive();         ///< one suspended path; an offered input where there is none
  bool waits() const;    ///< one does
  void putBackWaiting(); ///< those that the path replayer has
  bool isElsewhere(const State &state) const;
  void giveUp(State &state); ///< one that is to be avoided
  void bringBack();          ///< some of them, while there is room
  void take(State &ran, Step &step);
  void countSeeds(const SeedStates &seeds);
  void keep(State *from, std::unique_ptr<State> state);
  void drop(State &state);
  bool isWanted(const State &state);
  bool followsSeeds(); ///< some state has seeds
  State &next();       ///< one with seeds, as long as there is one; or the searcher's choice
  void reclaimTerms();
  void evict();
  void drain(); ///< partial tests of what is unfinished
  void finishStats();

  const program::Program &program_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  const std::atomic<bool> &stop_;
  ExploreResult result_;
  Rng rng_;
  uint64_t memoryLimit_;
  expr::ExprContext context_;
  std::unique_ptr<solver::FeasibilityOracle> oracle_;
  std::unique_ptr<SymbolicExecutor> executor_;
  std::unique_ptr<Searcher> searcher_;
  /// Looked up, never iterated for anything observable.
  llvm::DenseMap<State *, std::unique_ptr<State>> states_;
  /// Paths that wait for room: given to us, or set aside when memory was short.
  std::deque<PathPrefix> suspended_;
  InputTurns inputs_;
  std::unordered_set<uint64_t> avoided_;
  std::unordered_map<uint32_t, std::unordered_set<uint64_t>> elsewhere_;
  uint64_t ignored_ = 0;
  volatile uint64_t *announce_ = &ignored_;
  std::vector<State *> seeded_; ///< the newest is followed first
  uint64_t unfinished_ = 0;     ///< states that were left when a budget ended
  uint64_t openAtEnd_ = 0;      ///< of these, the pending ones
  uint64_t pending_ = 0;        ///< of states_
  uint64_t pagesSeen_ = 0;      ///< Memory::pageBytes at the last look
  std::function<void()> between_;
  bool listensAtFork_ = false;
  WallClock::time_point started_;
  solver::Clock::time_point begun_, nextLook_, nextBetween_;
  StepTally steps_; ///< what the clock knows of, where it counts them
  uint64_t liveAfterReclaim_ =
      1 << 20; ///< terms; the next reclaiming is when there are twice as many
};

} // namespace fathom::explore
#endif
