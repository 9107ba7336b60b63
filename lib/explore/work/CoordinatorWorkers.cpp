// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coordinator's worker processes: how they are started, what is done about one that crashes or
// hangs, and what the others are told of it.
#include "evidence/LedgerCategory.h"
#include "explore/work/Coordinator.h"
#include "explore/work/RemoteWorkers.h"
#include "support/Check.h"

#include "fmt/format.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>

namespace fathom::explore {

using evidence::LedgerCategory;

namespace {

/// Workers end by themselves when --max-time is over; so much later they are told.
constexpr std::chrono::milliseconds kLate{500};
constexpr std::chrono::milliseconds kWatch{50}; ///< how often it is seen whether workers hang
constexpr std::chrono::seconds kAway{2}; ///< so long without a look at them, and we were stopped

} // namespace

void Coordinator::startWorkers() {
  while (workers_.size() - remoteWorkers() < options_.jobs && startWorker()) {
  }
}

bool Coordinator::startWorker() {
  ExploreOptions own = options_;
  own.maxMemoryBytes = memory_.workerBytes();
  own.solver.z3MemoryMb = memory_.solverMb();
  own.maxForks = (options_.maxForks + options_.jobs - 1) / options_.jobs;
  own.maxTime = times_.left(options_, past_.stepNanoseconds);
  auto worker = std::make_unique<WorkerProcess>();
  auto inChild = [this] {
    workers_.clear(); // the others' connections are not ours
    if (options_.remote) options_.remote->abandon();
  };
  if (!worker->start(program_, own, inChild, noWorker_)) return false;
  welcome(std::move(worker));
  return true;
}

void Coordinator::admitWorkers() {
  if (!options_.remote) return;
  for (RemoteWorkers::Admitted &admitted : options_.remote->admit()) {
    times_.countRemote(remoteWorkers());
    auto worker = std::make_unique<WorkerProcess>();
    worker->channel = std::move(admitted.channel);
    worker->from = std::move(admitted.from);
    worker->channel.post(
        MessageKind::Start,
        encode(std::vector<uint64_t>{static_cast<uint64_t>(times_.left(options_, 0).count())}));
    welcome(std::move(worker));
  }
}

void Coordinator::welcome(std::unique_ptr<WorkerProcess> worker) {
  for (size_t i = 0; i < elsewhere_.size(); i++) tellElsewhere(*worker, i);
  if (!avoided_.empty()) worker->channel.post(MessageKind::Avoid, encode(avoided_));
  if (!isolated_.empty()) worker->channel.post(MessageKind::Isolate, encode(isolated_));
  if (allIsolated()) worker->channel.post(MessageKind::Isolate, encode(std::vector<uint64_t>()));
  if (std::vector<uint32_t> covered = coverage_.known(); !covered.empty())
    worker->channel.post(MessageKind::Covered, encode(covered));
  workers_.push_back(std::move(worker));
}

void Coordinator::lost(WorkerProcess &worker) {
  int status = 0;
  times_.countRemote(remoteWorkers());
  const std::string how = worker.reap(status);
  add(result_.ledger, worker.saved.ledger);
  snapshots_ -= worker.snapshot;
  forget(worker.covered);
  comeAgain_.insert(worker.stored.begin(), worker.stored.end());
  std::vector<PathPrefix> left = leftBy(worker);
  const uint64_t path = worker.at->path;
  const bool solvers = lostToSolver(worker, status);
  const bool broken = WIFEXITED(status) && WEXITSTATUS(status) == kInternalErrorStatus;
  const bool isUnexplained = worker.isRemote() && !worker.lostStatus;
  const unsigned crashes = solvers || broken || isUnexplained ? 0 : ++crashes_[path];
  if (isUnexplained)
    options_.remote->tell(fmt::format("a worker from {} is gone: others do its work", worker.from));
  if (solvers) isolate(worker.at->query.hash);
  if (crashes == kMaxCrashes) avoid(path);
  const bool again = crashes <= kMaxCrashes; // or else avoiding does not help
  // What it worked counts against the limit, also what is done again.
  const uint64_t steps = worker.stats.stepNanoseconds;
  keepCounts(again ? worker.saved.stats : worker.stats);
  if (again) past_.stepNanoseconds += steps - std::min(steps, worker.saved.stats.stepNanoseconds);
  past_.isBehind |= worker.hung;
  if (!again) {
    result_.ledger.add(LedgerCategory::DroppedState, "",
                       fmt::format("a worker process ended by {}", how), left.size());
    past_.crashedPaths += left.size();
  } else {
    for (PathPrefix &prefix : left) queue_.push_back(std::move(prefix));
  }
  std::erase_if(workers_, [&](const auto &w) { return w.get() == &worker; });
  if (broken) { // no path's fault: others would find it too, or go on with wrong answers
    result_.failure = "a worker process ended by an internal error, which it reported";
    end(StopReason::InternalError);
    result_.stats.stop = StopReason::InternalError;
  }
  if (stopping_) return;
  startWorkers();
  if (!workers_.empty() || options_.remote) return;
  result_.failure = noWorker_;
  end(StopReason::NoWorkers);
}

void Coordinator::avoid(uint64_t path) {
  avoided_.push_back(path);
  for (auto &worker : workers_)
    worker->channel.post(MessageKind::Avoid, encode(std::vector<uint64_t>{path}));
}

bool Coordinator::lostToSolver(const WorkerProcess &worker, int status) const {
  static constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  const solver::RunningQuery &query = worker.at->query;
  if (!query.hash || query.isolated || solverLosses_ > kMaxCrashes + options_.jobs) return false;
  return worker.hung || (WIFSIGNALED(status) && std::find(std::begin(kCrashes), std::end(kCrashes),
                                                          WTERMSIG(status)) != std::end(kCrashes));
}

void Coordinator::isolate(uint64_t query) {
  solverLosses_++;
  isolated_.push_back(query);
  for (auto &worker : workers_)
    worker->channel.post(MessageKind::Isolate,
                         encode(allIsolated() ? std::vector<uint64_t>() : isolated_));
}

void Coordinator::watch() {
  auto now = WallClock::now();
  if (now < nextWatch_) return;
  // If this process was stopped (Ctrl-Z, a suspended machine), the workers get time to catch up
  // first.
  if (now > nextWatch_ + kAway) judgeFrom_ = now + kAway;
  nextWatch_ = now + kWatch;
  for (auto &worker : workers_) {
    if (now < judgeFrom_) break;
    worker->hung = worker->overdue(now, stopAsked_);
    if (worker->hung || worker->silent(now) ||
        (!worker->isResting && worker->stuck(now, stopping_)))
      worker->end();
  }
  if (options_.maxTime.count() && !options_.countsSteps &&
      now > times_.started + options_.maxTime + kLate)
    end(StopReason::MaxTime);
}

} // namespace fathom::explore
