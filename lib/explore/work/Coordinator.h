// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration, by one or several worker processes: distributes paths among them, and collects
// results. Start reading at Coordinator::run.
#ifndef FATHOM_EXPLORE_WORK_COORDINATOR_H
#define FATHOM_EXPLORE_WORK_COORDINATOR_H

#include "explore/Explore.h"
#include "explore/work/MemoryBudget.h"
#include "explore/work/RunTimes.h"
#include "explore/work/SharedCoverage.h"
#include "explore/work/WorkerProcess.h"

#include <algorithm>
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
        memory_(options.maxMemoryBytes, std::max(options.jobs, 1u)), coverage_(program),
        host_(options) {}

  ExploreResult run(const Checkpoint *from);

private:
  static constexpr unsigned kMaxCrashes = 3;  ///< of workers on one path
  static constexpr size_t kUsuallyGiven = 32; ///< paths at once

  // --- workers (CoordinatorWorkers.cpp)
  /// Starts as many as the options ask for, or as the system has room for now.
  void startWorkers();
  /// False: noWorker_ says why.
  bool startWorker();
  /// Those of other machines that are ready to work.
  void admitWorkers();
  /// A new worker: it is told what the others know.
  void welcome(std::unique_ptr<WorkerProcess> worker);
  /// Handles the loss of a worker. Its results are kept, and other workers repeat its work since
  /// the last snapshot. (Tests of that work which have arrived are recognised by their paths.) A
  /// path on which workers crash again and again is avoided. If the system has no room for another
  /// worker, the others go on, and the next checkpoint tries to start one. One of another machine
  /// whose connection is lost may have been well: that counts against no path.
  void lost(WorkerProcess &worker);
  void avoid(uint64_t path);
  /// Did the worker end because Z3 hung or crashed? Then the path is not avoided: the query is
  /// asked in a child process, where it can do no harm, and the path goes on.
  bool lostToSolver(const WorkerProcess &worker, int status) const;
  bool allIsolated() const { return solverLosses_ >= kMaxCrashes; }
  void isolate(uint64_t query);
  /// Kills workers that hang, in the solver or elsewhere; receive() then finds them gone. Also ends
  /// the run when its time is over and no worker has reported that.
  void watch();

  // --- paths go from one worker to another (CoordinatorHandOver.cpp)
  void handOut();
  /// What ExploreOptions::inputs has goes to the workers that have few of its inputs.
  void offerInputs();
  /// Lets workers rest, as ExploreOptions::inputs says.
  void rest();
  static void give(WorkerProcess &worker, std::vector<PathPrefix> paths);
  /// Workers with many paths give some to idle workers: as many are asked as there are idle ones.
  void askForWork();
  /// A worker has finished the paths that it was given: adapts how many are given at once (share_).
  void judgeShare(const WorkerProcess &worker);
  /// From here on these paths belong to another worker.
  static void took(WorkerProcess &worker, const std::vector<PathPrefix> &paths);
  /// The paths of a lost worker that are unfinished or have to be explored again, without the parts
  /// that other workers have.
  std::vector<PathPrefix> leftBy(const WorkerProcess &worker);
  void tellElsewhere(WorkerProcess &worker, size_t index);

  // --- messages of workers (CoordinatorMessages.cpp)
  void shareMemory();
  void receive();
  void handle(WorkerProcess &worker, const Message &message);
  /// Tells ExploreOptions::inputs which sides are covered first.
  void tellFound(const std::vector<uint32_t> &covered);
  /// Replaces the worker's snapshot: after a loss, its work is repeated from here. Paths that it
  /// was given while it made the snapshot are kept.
  void stands(WorkerProcess &worker, WorkerSnapshot snapshot);
  /// Forgets coverage of paths that are explored again: the next path that reaches it counts as the
  /// first, or there would be no test for it.
  void forget(const std::vector<uint32_t> &covered);

  // --- checkpoints (CoordinatorMessages.cpp)
  /// Asks every worker for a snapshot, and writes them all down. Until all have answered, no path
  /// goes from one worker to another.
  void takeCheckpoint();
  void askForSnapshot(WorkerProcess &worker);
  void answered(WorkerProcess &worker);
  void writeCheckpoint();

  // --- beginning and end
  /// Restores the run that `from` describes, or begins at the start of the program.
  void begin(const Checkpoint *from);
  /// Keeps the statistics of finished work of a worker that has ended.
  void keepCounts(Stats stats);
  bool exhausted() const;
  void end(StopReason reason);
  /// All workers hand in their remaining results.
  void collect();
  size_t remoteWorkers() const;
  Stats total() const;
  void tellStatus();
  ExploreResult finish();

  const program::Program &program_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  const std::atomic<bool> &stop_;
  MemoryBudget memory_;
  ExploreResult result_;
  RunTimes times_;
  WallClock::time_point nextStatus_, nextCheckpoint_, nextWatch_, nextOffer_, judgeFrom_,
      stopAsked_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::deque<PathPrefix> queue_;                   ///< paths that no worker has
  size_t share_ = kUsuallyGiven;                   ///< the number of paths that are asked for
  std::vector<std::vector<uint64_t>> elsewhere_;   ///< PathPrefix::excludedPaths - 1
  std::unordered_map<uint64_t, unsigned> crashes_; ///< per path that a worker followed then
  std::vector<uint64_t> avoided_;
  std::vector<uint64_t> isolated_;         ///< queries that are not asked in a worker's own process
  std::string noWorker_;                   ///< why the last one could not be started
  unsigned solverLosses_ = 0;              ///< workers that Z3 took with it
  std::unordered_set<uint64_t> paths_;     ///< that have a test, or a bug
  std::unordered_set<uint64_t> comeAgain_; ///< of these, those that are explored once more
  Stats before_, past_;                    ///< of the run that is resumed; with those that crashed
  double lastSeedSeconds_ = 0;             ///< when a seed came to its end last
  Ledger finals_;                          ///< of workers that have ended
  unsigned snapshots_ = 0;                 ///< asked for, and not there yet
  SharedCoverage coverage_;
  OwnHost host_;      ///< for workers of other machines
  bool more_ = false; ///< messages have arrived that are not handled yet
  bool stopping_ = false, sinkFailed_ = false, shortOfMemory_ = false;
};

} // namespace fathom::explore
#endif
