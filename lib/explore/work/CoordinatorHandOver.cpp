// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths go from one worker to another. The cost depends on the paths handed over, not on the
// frontier's size: no worker makes a snapshot for it. If the giver is lost, its work since its last
// snapshot is repeated without the paths that it gave away.
#include "explore/interpreter/Coverage.h"
#include "explore/work/Coordinator.h"
#include "explore/work/InputSource.h"
#include "explore/work/Requests.h"

#include <algorithm>

namespace fathom::explore {

namespace {

/// Paths that are handed over at once: each costs the other side the way there.
constexpr size_t kMaxGiven = 4096;
/// What one gives to several: it does nothing else while it writes them down.
constexpr uint64_t kMaxForAll = 65536;
/// What is given should last so long, and not much longer.
constexpr std::chrono::milliseconds kLasts{250}, kLastsLong{2000};
/// How often offered inputs are looked for, and how many of them wait at a worker.
constexpr std::chrono::milliseconds kOffer{50};
constexpr uint64_t kInputsWaiting = 4;

/// Paths of several inputs begin with the same log.
uint64_t hashOf(const PathPrefix &path) {
  PathLog named(path.log);
  if (path.input)
    for (const uint8_t byte : *path.input) named.append(byte);
  return named.hash();
}

} // namespace

void Coordinator::handOut() {
  if (snapshots_) return; // a path must not go from one that has not told yet to one that has
  size_t idle = static_cast<size_t>(std::count_if(workers_.begin(), workers_.end(),
                                                  [](const auto &w) { return w->wantsWork(); }));
  for (auto &worker : workers_) {
    if (!worker->wantsWork() || queue_.empty()) continue;
    auto share = static_cast<ptrdiff_t>((queue_.size() + idle - 1) / idle);
    idle--;
    std::vector<PathPrefix> paths(std::make_move_iterator(queue_.begin()),
                                  std::make_move_iterator(queue_.begin() + share));
    queue_.erase(queue_.begin(), queue_.begin() + share);
    worker->givenAt = WallClock::now();
    worker->givenThen = paths.size();
    worker->stats.liveStates = paths.size();
    give(*worker, std::move(paths));
  }
}

void Coordinator::offerInputs() {
  const auto now = WallClock::now();
  if (!options_.inputs || snapshots_ || now < nextOffer_) return;
  nextOffer_ = now + kOffer;
  if (const std::vector<uint32_t> sides = options_.inputs->covered(); !sides.empty()) {
    std::vector<uint32_t> covered;
    for (const uint32_t side : sides)
      if (side < coverage_.sides().size() && !coverage_.sides()[side])
        covered.push_back(side | Coverage::kSideBit);
    coverage_.note(covered);
    const std::string body = encode(covered);
    for (auto &worker : workers_)
      if (!worker->final) worker->channel.post(MessageKind::Covered, body);
  }
  for (auto &worker : workers_) {
    const uint64_t waiting = worker->inputs - std::min(worker->inputs, worker->stats.inputsTaken);
    if (worker->final || worker->isResting || waiting >= kInputsWaiting) continue;
    std::vector<PathPrefix> paths;
    for (std::vector<uint8_t> &bytes : options_.inputs->take(kInputsWaiting - waiting))
      paths.emplace_back().input = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    if (paths.empty()) continue;
    give(*worker, std::move(paths));
  }
}

void Coordinator::rest() {
  if (!options_.inputs || stopping_) return;
  unsigned left = options_.inputs->mostWorkers();
  for (auto &worker : workers_) {
    const bool rests = left == 0;
    left -= !rests;
    if (rests == std::exchange(worker->isResting, rests)) continue;
    worker->heard(WallClock::now()); // it may have been silent for long
    worker->channel.post(rests ? MessageKind::Rest : MessageKind::GoOn);
  }
}

void Coordinator::give(WorkerProcess &worker, std::vector<PathPrefix> paths) {
  worker.idle = false;
  worker.channel.post(MessageKind::Work, encode(paths));
  worker.works++;
  worker.inputs += static_cast<uint64_t>(
      std::ranges::count_if(paths, [](const PathPrefix &p) { return p.input && p.log.empty(); }));
  worker.given.insert(worker.given.end(), std::make_move_iterator(paths.begin()),
                      std::make_move_iterator(paths.end()));
}

void Coordinator::askForWork() {
  if (!queue_.empty() || snapshots_) return;
  auto idle =
      std::count_if(workers_.begin(), workers_.end(), [](auto &w) { return w->wantsWork(); });
  // A worker with a single path gives when it forks, if it ever does, so others are asked as well.
  idle -= std::count_if(workers_.begin(), workers_.end(),
                        [](auto &w) { return w->asked && w->stats.liveStates > 1; });
  if (idle <= 0) return;
  std::vector<Giver> givers;
  for (size_t i = 0; i < workers_.size(); i++)
    if (!workers_[i]->idle && !workers_[i]->asked)
      givers.push_back({i, workers_[i]->stats.liveStates});
  for (const Request &request : requestsFor(std::move(givers), static_cast<size_t>(idle), share_)) {
    WorkerProcess &worker = *workers_[request.worker];
    worker.asked = true;
    worker.channel.post(MessageKind::Share,
                        encode(std::vector<uint64_t>{std::min(request.most, kMaxForAll)}));
  }
}

void Coordinator::judgeShare(const WorkerProcess &worker) {
  const WallClock::duration lasted = WallClock::now() - worker.givenAt;
  if (worker.givenThen > share_ / 2 && lasted < kLasts)
    share_ = std::min(2 * share_, kMaxGiven);
  else if (lasted > kLastsLong)
    share_ = std::max(share_ / 2, kUsuallyGiven);
}

void Coordinator::took(WorkerProcess &worker, const std::vector<PathPrefix> &paths) {
  std::unordered_set<uint64_t> hashes;
  for (const PathPrefix &p : paths) hashes.insert(hashOf(p));
  // What it passes on as it got it was never its own.
  std::erase_if(worker.given, [&](const PathPrefix &p) { return hashes.erase(hashOf(p)); });
  worker.gave.merge(hashes);
}

std::vector<PathPrefix> Coordinator::leftBy(const WorkerProcess &worker) {
  std::vector<PathPrefix> left;
  decode(worker.saved.frontier, left);
  std::erase_if(left, [&](const PathPrefix &p) { return worker.gave.count(hashOf(p)); });
  left.insert(left.end(), worker.given.begin(), worker.given.end());
  if (worker.gave.empty()) return left;
  // What some of them were to leave out before, these still do, and others do not.
  std::unordered_map<uint32_t, uint32_t> renamed;
  for (PathPrefix &p : left) {
    auto [it, isNew] = renamed.try_emplace(p.excludedPaths, 0);
    if (isNew) {
      std::vector<uint64_t> paths(worker.gave.begin(), worker.gave.end());
      if (p.excludedPaths && p.excludedPaths <= elsewhere_.size())
        paths.insert(paths.end(), elsewhere_[p.excludedPaths - 1].begin(),
                     elsewhere_[p.excludedPaths - 1].end());
      elsewhere_.push_back(std::move(paths));
      it->second = static_cast<uint32_t>(elsewhere_.size());
      for (auto &other : workers_)
        if (other.get() != &worker) tellElsewhere(*other, elsewhere_.size() - 1);
    }
    p.excludedPaths = it->second;
  }
  return left;
}

void Coordinator::tellElsewhere(WorkerProcess &worker, size_t index) {
  std::vector<uint64_t> body{index + 1};
  body.insert(body.end(), elsewhere_[index].begin(), elsewhere_[index].end());
  worker.channel.post(MessageKind::Elsewhere, encode(body));
}

} // namespace fathom::explore
