// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/PathReplayer.h"

#include "explore/decide/Executor.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/ProgramStart.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Witnesses.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace fathom::explore {

namespace {
/// A turn of a state that is led: it has all the time it needs.
constexpr int64_t kTurn = 10'000'000;
} // namespace

std::shared_ptr<const PathReplayer::Batch> PathReplayer::batchOf(std::vector<PathPrefix> paths) {
  auto batch = std::make_shared<Batch>();
  std::sort(paths.begin(), paths.end(),
            [](const PathPrefix &a, const PathPrefix &b) { return a.log < b.log; });
  batch->shared.resize(paths.size());
  for (size_t i = 1; i < paths.size(); i++) {
    const std::string &a = paths[i - 1].log, &b = paths[i].log;
    batch->shared[i] = static_cast<size_t>(
        std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  }
  batch->paths = std::move(paths);
  return batch;
}

void PathReplayer::park(Parked parked) {
  waiting_ += parked.end - parked.begin;
  parked_.push_back(std::move(parked));
}

PathReplayer::Parked PathReplayer::unpark() {
  Parked parked = std::move(parked_.back());
  parked_.pop_back();
  waiting_ -= parked.end - parked.begin;
  return parked;
}

void PathReplayer::add(std::vector<PathPrefix> paths) {
  const size_t count = paths.size();
  if (count) park({batchOf(std::move(paths)), 0, count, nullptr});
}

void PathReplayer::skip() {
  Parked parked = unpark();
  if (++parked.begin < parked.end) park(std::move(parked));
}

std::vector<PathPrefix> PathReplayer::all() const {
  std::vector<PathPrefix> paths;
  paths.reserve(waiting_);
  for (auto p = parked_.rbegin(); p != parked_.rend(); ++p)
    paths.insert(paths.end(), p->batch->paths.begin() + static_cast<ptrdiff_t>(p->begin),
                 p->batch->paths.begin() + static_cast<ptrdiff_t>(p->end));
  return paths;
}

void PathReplayer::clear() {
  parked_.clear();
  waiting_ = 0;
}

void PathReplayer::visitTerms(const std::function<void(ExprPtr)> &visit, Visited &seen) const {
  for (const Parked &parked : parked_)
    if (parked.state) parked.state->visitTerms(visit, seen);
}

std::unique_ptr<State> PathReplayer::next(std::string &error) { return lead(unpark(), error); }

std::unique_ptr<State> PathReplayer::restore(const PathPrefix &path, std::string &error) {
  const size_t before = parked_.size();
  std::unique_ptr<State> state = lead({batchOf({path}), 0, 1, nullptr}, error);
  while (parked_.size() > before) unpark(); // the caller still has the path
  return state;
}

void PathReplayer::beforeEvent(const State &s) {
  // Threads are switched between events: where the state stands is not all there is.
  if (leading_.end - leading_.begin < 2 || s.threads || Memory::pageBytes() > parksUpTo) return;
  snapshot_ = std::make_unique<State>(s);
  Calls::ownTopFrame(*snapshot_); // references into the frame of s stay what they are
  interpreter_.memory.flushTlb(); // its pages are shared now
}

void PathReplayer::afterEvent() {
  if (leading_.begin == leading_.end) return;
  size_t on = leading_.begin + 1;
  // The logs are sorted: the further from the first, the less they share with it. Where that one
  // ends, others may go on.
  if (follower_.followed < leading_.first().log.size())
    while (on < leading_.end && leading_.batch->shared[on] >= follower_.followed) on++;
  if (on < leading_.end) park({leading_.batch, on, leading_.end, std::move(snapshot_)});
  leading_.end = on;
  snapshot_.reset();
}

std::unique_ptr<State> PathReplayer::lead(Parked from, std::string &error) {
  error.clear();
  follower_.begin();
  std::unique_ptr<State> current = std::move(from.state);
  leading_ = std::move(from);
  const std::shared_ptr<const Batch> batch = leading_.batch;
  const PathPrefix &path = leading_.first();
  const size_t index = leading_.begin;
  if (!current) {
    current = start_.initialState(error);
    if (!current) return nullptr;
    // On the way those are left out that part from it: in the end there are the seeds that take it.
    seedPaths_.startSeeds(*current, path);
  } else {
    current->id = forks_.nextStateId++;
  }
  if (!path.log.empty()) {
    follower_.followed = current->log.size();
    current->replayedLog = std::make_unique<LogReader>(path.log, follower_.followed);
    ledger_.mute(true);
  }
  while (current && current->replayedLog) {
    Step step = executor_.run(*current, kTurn);
    if (stepContext_.sinkFailed || stepContext_.mustStop() || step.suspended) {
      follower_.notReplayed();
      park({batch, index, leading_.end, nullptr});
      leading_ = {};
      return nullptr;
    }
    // At a fork one of the two is on the way.
    std::unique_ptr<State> onTheWay;
    if (step.alive && !current->discarded) onTheWay = std::move(current);
    for (auto &forked : step.forked)
      if (!forked->discarded) onTheWay = std::move(forked);
    current = std::move(onTheWay);
  }
  if (!current) follower_.notReplayed();
  // It ended before its log did: the others are led from the start.
  for (size_t i = leading_.end; i-- > index + 1;) park({batch, i, i + 1, nullptr});
  leading_ = {};
  // A witness that does not take the path would give tests of another one from here on.
  auto holds = [&](ExprPtr e) { return witnesses_.holdsUnderWitness(*current, e); };
  if (!current || !llvm::all_of(current->path.constraints(), holds)) {
    error = "the stored path is not one of this program under these options";
    if (!follower_.misaligned.empty()) error += ": " + follower_.misaligned;
    if (!follower_.changedFile.empty())
      error =
          fmt::format("{} has changed since a path that read it was stored", follower_.changedFile);
    return nullptr;
  }
  for (uint32_t what : path.newlyCovered) current->newlyCovered.push(what);
  current->excludedPaths = path.excludedPaths;
  if (path.attempts && current->pending) {
    Pending again = *current->pending;
    again.attempts = path.attempts;
    current->pending = std::make_shared<const Pending>(std::move(again));
  }
  return current;
}

} // namespace fathom::explore
