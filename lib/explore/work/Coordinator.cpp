// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration, by one or several worker processes.
//
// The unit of work is the log of a path (PathLog). The coordinator starts the workers as copies of
// itself, gives the empty log to one of them, and whenever one has nothing to do asks the one with
// the most states to give some away: those nearest to the start, and more of them when what was
// given last did not last. Results come to the coordinator, which alone writes them.
//
// Every few seconds the workers tell which paths go on: all that was found before is stored, and
// the rest comes of these. From there the work of a worker that crashes is done again, without what
// it has given away since, and a run that was killed, or whose budget has ended, is resumed. Tests
// of paths that are known are not stored a second time.
//
// Workers of other machines (RemoteWorkers.h) come and go at any time, and are workers like others.
#include "explore/work/Coordinator.h"

#include "evidence/LedgerCategory.h"
#include "explore/work/InputSource.h"
#include "explore/work/LineCoverage.h"
#include "explore/work/RemoteWorkers.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

namespace {

constexpr std::chrono::milliseconds kStatus{100}; ///< how often progress is told
constexpr std::chrono::seconds kGrace{15};        ///< for a worker to end after it was told to

} // namespace

ExploreResult Coordinator::run(const Checkpoint *from) {
  nextWatch_ = times_.started;
  nextCheckpoint_ = times_.started + options_.checkpointInterval;
  begin(from);
  startWorkers();
  if (workers_.empty() && !options_.remote) {
    result_.error = noWorker_;
    return std::move(result_);
  }
  while (!exhausted() && !stopping_) {
    admitWorkers();
    rest();
    offerInputs();
    handOut();
    askForWork();
    takeCheckpoint();
    shareMemory();
    receive();
    watch();
    if (stop_.load(std::memory_order_relaxed)) end(StopReason::Interrupted);
    if (sinkFailed_) end(StopReason::DiskFull);
    tellStatus();
  }
  collect();
  return finish();
}

void Coordinator::begin(const Checkpoint *from) {
  if (!from) {
    queue_.push_back({});
    return;
  }
  before_ = from->stats;
  times_.resume(before_);
  lastSeedSeconds_ = before_.lastSeedSeconds;
  keepCounts(from->stats);
  paths_.insert(from->storedPaths.begin(), from->storedPaths.end());
  comeAgain_ = paths_;
  result_.ledger = from->ledger;
  elsewhere_ = from->elsewhere;
  coverage_.restore(from->cover, from->sideCover);
  if (options_.inputs) {
    std::vector<uint32_t> sides;
    for (uint32_t side = 0; side < coverage_.sides().size(); side++)
      if (coverage_.sides()[side]) sides.push_back(side);
    options_.inputs->found(sides);
  }
  std::vector<PathPrefix> paths;
  for (const std::string &list : from->frontier) decode(list, paths);
  for (PathPrefix &prefix : paths) queue_.push_back(std::move(prefix));
}

void Coordinator::keepCounts(Stats stats) {
  stats.liveStates = stats.peakMemoryBytes = 0;
  add(past_, stats);
}

bool Coordinator::exhausted() const {
  if (options_.inputs && options_.inputs->isOpen()) return false;
  return queue_.empty() && std::all_of(workers_.begin(), workers_.end(),
                                       [](const auto &w) { return w->idle && !w->asked; });
}

void Coordinator::end(StopReason reason) {
  if (stopping_) return;
  stopping_ = true;
  stopAsked_ = WallClock::now();
  result_.stats.stop = reason;
  for (auto &worker : workers_) {
    worker->channel.post(MessageKind::Stop); // also ends a rest
    worker->interrupt();                     // it may be in the solver, where it does not listen
  }
}

void Coordinator::collect() {
  if (!stopping_ && shortOfMemory_) result_.stats.stop = StopReason::MaxMemory;
  stopping_ = true;
  if (options_.remote) options_.remote->close();
  for (auto &worker : workers_)
    worker->channel.post(MessageKind::Finish,
                         encode(std::vector<uint32_t>{static_cast<uint32_t>(result_.stats.stop)}));
  auto deadline = WallClock::now() + kGrace;
  while (std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return !w->final; }) &&
         WallClock::now() < deadline) {
    receive();
    watch();
  }
  writeCheckpoint();
  for (auto &worker : workers_) {
    if (!worker->final) {
      add(result_.ledger, worker->saved.ledger);
      result_.ledger.add(LedgerCategory::DroppedState, "", "a worker process did not end in time",
                         std::max<uint64_t>(1, worker->stats.liveStates));
    }
    worker->endAndForget(); // what it has, it has told
  }
  add(result_.ledger, finals_);
  if (!queue_.empty())
    result_.ledger.add(
        LedgerCategory::DroppedState, "",
        fmt::format("unfinished when the exploration ended: {}", text(result_.stats.stop)),
        queue_.size());
  // One line, and only where nothing else is left out: a run that is cut off says so already.
  const uint64_t untried = total().untriedFailures;
  if (untried && result_.ledger.isComplete() && result_.stats.stop == StopReason::Exhausted)
    result_.ledger.add(LedgerCategory::AllocationFailure, "",
                       untried == 1 ? "failing allocation was not explored (--fail-allocations)"
                                    : "failing allocations were not explored (--fail-allocations)",
                       untried);
}

size_t Coordinator::remoteWorkers() const {
  return static_cast<size_t>(
      std::ranges::count_if(workers_, [](const auto &w) { return w->isRemote(); }));
}

Stats Coordinator::total() const {
  Stats sum = past_;
  for (auto &worker : workers_) add(sum, worker->stats);
  sum.wallSeconds = times_.wallSeconds();
  sum.workerSeconds = times_.workerSeconds(options_.jobs);
  sum.seedsGiven = options_.seeds.size();
  sum.lastSeedSeconds = lastSeedSeconds_;
  sum.peakMemoryBytes = std::max(sum.peakMemoryBytes, before_.peakMemoryBytes);
  const std::vector<uint8_t> &sides = coverage_.sides();
  sum.branchesCovered = static_cast<uint64_t>(std::count(sides.begin(), sides.end(), 1));
  sum.branchesTotal = program_.ownBranchSides;
  return sum;
}

void Coordinator::tellStatus() {
  auto now = WallClock::now();
  if (now < nextStatus_) return;
  nextStatus_ = now + kStatus;
  times_.countRemote(remoteWorkers());
  Stats stats = total();
  for (auto &worker : workers_)
    stats.runningQuerySeconds = std::max(stats.runningQuerySeconds, worker->querySeconds());
  sink_.onProgress(stats);
}

ExploreResult Coordinator::finish() {
  StopReason why = result_.stats.stop;
  times_.countRemote(remoteWorkers());
  result_.stats = total();
  const uint64_t crashed = result_.stats.crashedPaths;
  if (why == StopReason::Exhausted && crashed) {
    why = StopReason::Crashed;
    result_.failure =
        fmt::format("worker processes crashed again and again, and {} given up",
                    crashed == 1 ? "a path was" : fmt::format("{} paths were", crashed));
  }
  result_.stats.stop = why;
  countCoverage(program_, coverage_.instructions(), coverage_.sides(), result_);
  return std::move(result_);
}

ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop, const Checkpoint *from) {
  ExploreResult failed;
  failed.error = validate(options);
  if (!failed.error.empty()) return failed;
  return Coordinator(program, options, sink, stop).run(from);
}

} // namespace fathom::explore
