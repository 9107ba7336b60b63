// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the coordinator takes in from its workers, and the checkpoints that come of it.
#include "explore/interpreter/Coverage.h"
#include "explore/work/Coordinator.h"

#include "explore/work/InputSource.h"
#include "explore/work/RemoteWorkers.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace fathom::explore {

namespace {

constexpr std::chrono::milliseconds kWorkerTurn{
    20}; ///< for one worker's messages, then others speak
/// The time between two checkpoints is at least so many times as long as the slowest part of the
/// last one: a worker's snapshot, or the coordinator's writing. So checkpoints cost 1 % at most.
constexpr unsigned kCheckpointShare = 100;

} // namespace

void Coordinator::receive() {
  std::vector<pollfd> fds;
  fds.reserve(workers_.size() + 1);
  for (auto &worker : workers_)
    fds.push_back({worker->channel.fd(),
                   static_cast<short>(POLLIN | (worker->channel.pending() ? POLLOUT : 0)), 0});
  if (options_.remote) options_.remote->addTo(fds);
  if (poll(fds.data(), fds.size(), std::exchange(more_, false) ? 0 : 20) < 0 && errno != EINTR)
    return;
  std::vector<WorkerProcess *> gone;
  for (auto &worker : workers_) {
    worker->channel.flush();
    // Workers can find tests faster than they are written: then there is no end of messages.
    const auto until = WallClock::now() + kWorkerTurn;
    bool inTime = true;
    while (inTime) {
      std::optional<Message> message = worker->channel.receive(/*wait=*/false);
      if (!message) break;
      worker->heard(WallClock::now());
      handle(*worker, *message);
      inTime = WallClock::now() < until;
    }
    more_ |= !inTime;
    if (inTime && worker->channel.closed() && !worker->final) gone.push_back(worker.get());
  }
  for (WorkerProcess *worker : gone) lost(*worker);
}

void Coordinator::handle(WorkerProcess &worker, const Message &message) {
  switch (message.kind) {
  case MessageKind::Test: {
    TestCase test;
    if (!decode(message.body, test)) break;
    worker.stored.push_back(test.path);
    if (!paths_.insert(test.path).second) {
      comeAgain_.erase(test.path);
      break;
    }
    sinkFailed_ |= !sink_.onTest(test);
    break;
  }
  case MessageKind::Input: {
    TestCase test;
    if (decode(message.body, test)) sinkFailed_ |= !sink_.onInput(test);
    break;
  }
  case MessageKind::Bug: {
    Bug bug;
    if (!decode(message.body, bug)) break;
    worker.stored.push_back(bug.test.path);
    if (!paths_.insert(bug.test.path).second) {
      comeAgain_.erase(bug.test.path);
      break;
    }
    sinkFailed_ |= !sink_.onBug(bug);
    if (options_.stopAtFirstBug) end(StopReason::FirstBug);
    break;
  }
  case MessageKind::Echo:
    if (!message.body.empty()) sink_.onEcho(message.body[0], message.body.substr(1));
    break;
  case MessageKind::Progress: {
    const uint64_t followed = worker.stats.seedsFollowed;
    decode(message.body, worker.stats);
    if (worker.stats.seedsFollowed > followed) lastSeedSeconds_ = times_.wallSeconds();
    if (options_.maxInstructions &&
        total().instructions - before_.instructions >= options_.maxInstructions)
      end(StopReason::MaxInstructions);
    break;
  }
  case MessageKind::Covered: {
    std::vector<uint32_t> covered;
    if (!decode(message.body, covered)) break;
    tellFound(covered);
    coverage_.note(covered);
    worker.covered.insert(worker.covered.end(), covered.begin(), covered.end());
    for (auto &other : workers_)
      if (other.get() != &worker && !other->final)
        other->channel.post(MessageKind::Covered, message.body);
    break;
  }
  case MessageKind::Given: {
    GivenAway given;
    std::vector<PathPrefix> paths;
    worker.asked = false;
    if (!decode(message.body, given)) break;
    decode(given.paths, paths);
    took(worker, paths);
    worker.stats.liveStates -= std::min<uint64_t>(worker.stats.liveStates, paths.size());
    worker.gave.insert(given.identities.begin(), given.identities.end());
    for (PathPrefix &prefix : paths) queue_.push_back(std::move(prefix));
    break;
  }
  case MessageKind::Frontier: {
    WorkerSnapshot snapshot;
    if (!decode(message.body, snapshot)) break;
    stands(worker, std::move(snapshot));
    answered(worker);
    break;
  }
  case MessageKind::Idle: {
    std::vector<uint32_t> why;
    worker.idle = true;
    judgeShare(worker);
    if (!decode(message.body, why) || why.empty()) break;
    auto reason = static_cast<StopReason>(why[0]);
    if (reason == StopReason::MaxMemory)
      shortOfMemory_ = true; // the others go on
    else if (reason != StopReason::Exhausted)
      end(reason);
    break;
  }
  case MessageKind::Failed:
    result_.error = message.body;
    worker.final = true;
    end(StopReason::Interrupted);
    break;
  case MessageKind::Final:
    decode(message.body, finals_);
    worker.final = true;
    break;
  case MessageKind::HostQuestion: {
    HostQuestion question;
    if (decode(message.body, question))
      worker.channel.post(MessageKind::HostAnswer, encode(host_.ask(question)));
    break;
  }
  case MessageKind::Alive: {
    std::vector<uint64_t> query;
    if (decode(message.body, query) && query.size() == 1) worker.remoteQueryMs = query[0];
    break;
  }
  case MessageKind::Lost: {
    WorkerEnd end;
    if (worker.isRemote() && decode(message.body, end)) worker.ended(end);
    break;
  }
  default: break;
  }
}

void Coordinator::tellFound(const std::vector<uint32_t> &covered) {
  if (!options_.inputs) return;
  std::vector<uint32_t> sides;
  for (const uint32_t what : covered)
    if (const uint32_t side = what & ~Coverage::kSideBit;
        what != side && side < coverage_.sides().size() && !coverage_.sides()[side])
      sides.push_back(side);
  options_.inputs->found(sides);
}

void Coordinator::stands(WorkerProcess &worker, WorkerSnapshot snapshot) {
  if (snapshot.works == worker.works) worker.given.clear();
  worker.saved = std::move(snapshot);
  worker.gave.clear();
  worker.stored.clear();
  worker.covered.clear();
}

void Coordinator::shareMemory() {
  if (!memory_.due()) return;
  std::vector<int> pids;
  pids.reserve(workers_.size());
  for (auto &worker : workers_)
    if (!worker->isRemote()) pids.push_back(worker->pid);
  memory_.look(pids);
  for (auto &worker : workers_)
    if (!worker->isRemote()) // a machine of its own has a limit of its own
      worker->channel.post(MessageKind::Limit,
                           encode(std::vector<uint64_t>{memory_.workerBytes()}));
}

void Coordinator::takeCheckpoint() {
  auto now = WallClock::now();
  if (snapshots_ || now < nextCheckpoint_) return;
  startWorkers();
  for (auto &worker : workers_)
    if (!worker->idle) askForSnapshot(*worker);
  if (!snapshots_) writeCheckpoint();
}

void Coordinator::askForSnapshot(WorkerProcess &worker) {
  worker.snapshot = true;
  snapshots_++;
  worker.channel.post(MessageKind::Snapshot);
}

void Coordinator::answered(WorkerProcess &worker) {
  if (!std::exchange(worker.snapshot, false)) return;
  if (!--snapshots_ && !stopping_) writeCheckpoint();
}

void Coordinator::writeCheckpoint() {
  const auto started = WallClock::now();
  std::chrono::nanoseconds took{0};
  Checkpoint checkpoint{past_, result_.ledger, coverage_.instructions(), coverage_.sides(), {}, {},
                        {}};
  for (auto &worker : workers_) {
    add(checkpoint.stats, worker->saved.stats);
    add(checkpoint.ledger, worker->saved.ledger);
    took = std::max(took, std::chrono::nanoseconds(worker->saved.nanoseconds));
    if (!worker->gave.empty()) { // it has not answered
      checkpoint.frontier.push_back(encode(leftBy(*worker)));
      continue;
    }
    if (!worker->saved.frontier.empty()) checkpoint.frontier.push_back(worker->saved.frontier);
    if (!worker->given.empty()) checkpoint.frontier.push_back(encode(worker->given));
  }
  if (!queue_.empty())
    checkpoint.frontier.push_back(encode(std::vector<PathPrefix>(queue_.begin(), queue_.end())));
  checkpoint.elsewhere = elsewhere_;
  checkpoint.storedPaths.assign(comeAgain_.begin(), comeAgain_.end());
  for (auto &worker : workers_)
    checkpoint.storedPaths.insert(checkpoint.storedPaths.end(), worker->stored.begin(),
                                  worker->stored.end());
  checkpoint.stats.wallSeconds = times_.wallSeconds();
  checkpoint.stats.workerSeconds = times_.workerSeconds(options_.jobs);
  checkpoint.stats.lastSeedSeconds = lastSeedSeconds_;
  sinkFailed_ |= !sinkFailed_ && !sink_.onCheckpoint(encode(checkpoint));
  const auto now = WallClock::now();
  took = std::max<std::chrono::nanoseconds>(took, now - started);
  nextCheckpoint_ =
      now + std::max<WallClock::duration>(options_.checkpointInterval, took * kCheckpointShare);
}

void Coordinator::forget(const std::vector<uint32_t> &covered) {
  if (covered.empty()) return;
  coverage_.forget(covered);
  for (auto &worker : workers_)
    if (!worker->final) worker->channel.post(MessageKind::Uncovered, encode(covered));
}

} // namespace fathom::explore
