// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration, by one or several worker processes: who works on what, and what came of it.
// Start reading at Coordinator::run.
#ifndef FATHOM_EXPLORE_WORK_COORDINATOR_H
#define FATHOM_EXPLORE_WORK_COORDINATOR_H

#include "explore/Explore.h"
#include "explore/work/MemoryBudget.h"
#include "explore/work/SharedCoverage.h"
#include "explore/work/WorkerProcess.h"

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fathom::explore {

/// Lives for one exploration: run() is called once.
class Coordinator {
public:
  Coordinator(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
              const std::atomic<bool> &stop)
      : program_(program), options_(options), sink_(sink), stop_(stop),
        memory_(options.maxMemoryBytes, options.jobs), coverage_(program) {}

  ExploreResult run(const Checkpoint *from);

private:
  static constexpr unsigned kMaxCrashes = 3;  ///< of workers on one path
  static constexpr size_t kUsuallyGiven = 32; ///< paths at once

  // --- workers (CoordinatorWorkers.cpp)
  /// As many as there should be, or as the system has room for now.
  void startWorkers();
  /// False: noWorker_ says why.
  bool startWorker();
  [[noreturn]] void runWorker(int coordinator, int fd, Announcements &announce);
  /// A worker that is gone: what it has told is kept, and its work since the last snapshot is done
  /// again by others. (Tests that came of it already are known by their paths.) A path that ends
  /// workers time and again is avoided. Where the system has no room for another worker the others
  /// go on; one is tried for again at the next checkpoint.
  void lost(WorkerProcess &worker);
  void avoid(uint64_t path);
  /// Whether Z3 hung or crashed in there. Then it is not the path that is avoided: the query is
  /// asked in a child process, where it can do no harm, and the path goes on.
  bool lostToSolver(const WorkerProcess &worker, int status) const;
  bool allApart() const { return solverLosses_ >= kMaxCrashes; }
  void askApart(uint64_t query);
  /// Workers that hang, in the solver or elsewhere, are ended; receive() finds them gone. And time
  /// is over also when nobody says so.
  void watch();

  // --- paths go from one worker to another (CoordinatorHandOver.cpp)
  void handOut();
  /// Those that have much give to those that have nothing: as many are asked as there are idle.
  void askForWork();
  /// A worker has done all that it was given: so many at once, or more, or fewer?
  void judgeShare(const WorkerProcess &worker);
  /// From here on these are others' paths.
  static void took(WorkerProcess &worker, const std::vector<PathPrefix> &paths);
  /// What a worker that is gone had to do still, or has to be done again: its paths, without what
  /// others have of them.
  std::vector<PathPrefix> leftBy(const WorkerProcess &worker);
  void tellElsewhere(WorkerProcess &worker, size_t index);

  // --- what workers tell (CoordinatorMessages.cpp)
  void shareMemory();
  void receive();
  void handle(WorkerProcess &worker, const Message &message);
  /// From here its work would be done again. What it was given while it told this still stands.
  void stands(WorkerProcess &worker, WorkerSnapshot snapshot);
  /// What was covered on paths that are explored again: whoever comes there then is the first, or
  /// there would be no test for it.
  void forget(const std::vector<uint32_t> &covered);

  // --- checkpoints (CoordinatorMessages.cpp)
  /// Asks every worker where it stands, and writes down what they say. Until all have answered,
  /// nothing goes from one to another.
  void takeCheckpoint();
  void askForSnapshot(WorkerProcess &worker);
  void answered(WorkerProcess &worker);
  void writeCheckpoint();

  // --- beginning and end
  /// Puts the run where `from` left it, or at the start of the program.
  void begin(const Checkpoint *from);
  /// Of work that is done, by somebody who is gone.
  void keepCounts(Stats stats);
  bool exhausted() const;
  void end(StopReason reason);
  /// Everybody hands in what is left.
  void collect();
  double wallSeconds() const;
  double workerSeconds() const;
  Stats total() const;
  void tellStatus();
  ExploreResult finish();

  const program::Program &program_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  const std::atomic<bool> &stop_;
  MemoryBudget memory_;
  ExploreResult result_;
  WallClock::time_point started_, nextStatus_, nextCheckpoint_, nextWatch_, judgeFrom_, stopAsked_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::deque<PathPrefix> queue_;                   ///< that nobody works on
  size_t share_ = kUsuallyGiven;                   ///< so many paths are asked for
  std::vector<std::vector<uint64_t>> elsewhere_;   ///< PathPrefix::excludedPaths - 1
  std::unordered_map<uint64_t, unsigned> crashes_; ///< per path that a worker followed then
  std::vector<uint64_t> avoided_;
  std::vector<uint64_t> apart_;            ///< queries that are not asked in a worker's own process
  std::string noWorker_;                   ///< why the last one could not be started
  unsigned solverLosses_ = 0;              ///< workers that Z3 took with it
  std::unordered_set<uint64_t> paths_;     ///< that have a test, or a bug
  std::unordered_set<uint64_t> comeAgain_; ///< of these, those that are explored once more
  Stats before_, past_;                    ///< of the run that is resumed; with those that crashed
  double lastSeedSeconds_ = 0;             ///< when a seed came to its end last
  Ledger finals_;                          ///< of workers that have ended
  unsigned snapshots_ = 0;                 ///< asked for, and not there yet
  SharedCoverage coverage_;
  bool more_ = false; ///< messages are there that there was no time for
  bool stopping_ = false, sinkFailed_ = false, shortOfMemory_ = false;
};

} // namespace fathom::explore
#endif
