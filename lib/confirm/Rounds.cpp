// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Rounds.h"

#include <algorithm>
#include <iterator>

namespace fathom::confirm {

using std::chrono::milliseconds;

namespace {

/// A shorter try is over before its search has begun.
constexpr milliseconds kLeastTry{200};
constexpr milliseconds kLimits[] = {milliseconds(500), milliseconds(2000), milliseconds(10000)};
/// Time beyond the limit before a child is killed: for what follows a search, and for a machine
/// under load.
constexpr milliseconds kGrace{15000};

} // namespace

std::optional<milliseconds> leftUntil(const Deadline &end) {
  if (!end) return std::nullopt;
  return std::chrono::duration_cast<milliseconds>(*end - std::chrono::steady_clock::now());
}

milliseconds firstLimit(size_t items, unsigned jobs, std::optional<milliseconds> left,
                        milliseconds perItem, bool isCounted) {
  if (!left) return isCounted ? std::min(kLimits[0], perItem) : perItem;
  // Every item has a process of its own: no other item waits for time that this one leaves.
  if (items <= jobs) return std::min(std::max(*left, kLeastTry), perItem);
  const milliseconds half = *left * jobs / (2 * std::max<size_t>(items, 1));
  return std::min(std::max(half, kLeastTry), perItem);
}

milliseconds nextLimit(milliseconds limit, milliseconds perItem) {
  for (const milliseconds next : kLimits)
    if (next >= 2 * limit) return std::min(next, perItem);
  return std::min(5 * limit, perItem);
}

/// The share of an item in the round in which it starts: its limit is cut to the time that is left.
static Round shareOf(Round round, const Deadline &until) {
  const std::optional<milliseconds> left = leftUntil(until);
  if (!left) return round;
  // An orderly end takes a moment, and says more than a kill. Steps may take thrice their time,
  // which tells in long tries.
  const milliseconds usual = *std::rbegin(kLimits);
  milliseconds most = *left - std::max(*left / 10, milliseconds(100));
  if (round.limit > usual) most = std::max(*left / 3, std::min(most, usual));
  if (most >= round.limit) return round;
  round.limit = std::max(most, milliseconds(1));
  round.isWhole = false;
  return round;
}

void runInRounds(std::vector<milliseconds> tried, const RoundOptions &options,
                 const std::function<std::string(size_t, const Round &)> &work,
                 const std::function<Next(size_t, const ChildEnd &, const Round &)> &done,
                 const std::function<void(const Round &)> &begun) {
  std::vector<size_t> open(tried.size());
  for (size_t i = 0; i < open.size(); ++i) open[i] = i;
  Round round;
  round.isCounted = options.most && !options.until;
  round.limit = firstLimit(open.size(), options.children.jobs, leftUntil(options.until),
                           options.perItem, round.isCounted);
  std::vector<bool> wasTried(tried.size());
  for (; !open.empty(); round.limit = nextLimit(round.limit, options.perItem)) {
    round.isWhole = round.limit >= options.perItem;
    std::vector<size_t> now, waiting, later;
    for (const size_t i : open)
      (tried[i] < round.limit || round.isWhole ? now : waiting).push_back(i);
    if (now.empty()) continue;
    const auto left = leftUntil(options.until);
    const bool isStopped = options.children.stop && *options.children.stop;
    if (isStopped || (left && left->count() <= 0)) {
      for (const size_t i : open)
        done(i, {isStopped ? ChildEnd::Kind::Interrupted : ChildEnd::Kind::AllOver, "", 0}, round);
      options.ended(/*isLast=*/true);
      return;
    }
    for (const size_t i : now) wasTried[i] = true;
    ChildrenOptions children = options.children;
    if (left) children.all = *left;
    // A short try that hangs must not take the time of all others.
    const milliseconds grace =
        round.isWhole ? kGrace : std::min(kGrace, milliseconds(1000) + 2 * round.limit);
    children.time = round.limit * options.patience + grace;
    round.items = now.size();
    begun(round);
    runInChildren(
        now.size(), children,
        [&](size_t k) {
          const Round share = shareOf(round, options.until);
          const bool isInVain = share.limit < kLeastTry || share.limit <= tried[now[k]];
          return share.limit < round.limit && isInVain ? "" : work(now[k], share);
        },
        [&](size_t k, const ChildEnd &end) {
          using enum ChildEnd::Kind;
          const size_t i = now[k];
          const bool isSkipped = end.kind == Done && end.text.empty();
          const Next next = done(i, isSkipped ? ChildEnd{AllOver, "", 0} : end, round);
          tried[i] = round.limit;
          const bool isOver = isSkipped || end.kind == AllOver || end.kind == Interrupted;
          if (isOver || round.isWhole || next == Next::Settled) return;
          (next == Next::Again ? waiting : later).push_back(i);
        });
    // The next round has the items in their first order, whichever ended first.
    std::sort(waiting.begin(), waiting.end());
    std::sort(later.begin(), later.end());
    waiting.insert(waiting.end(), later.begin(), later.end());
    open = std::move(waiting);
    const bool isLast = open.empty() || (options.most && round.number >= options.most);
    if (isLast)
      for (const size_t i : open)
        if (!wasTried[i]) done(i, {ChildEnd::Kind::AllOver, "", 0}, round);
    options.ended(isLast);
    if (isLast) return;
    ++round.number;
  }
}

} // namespace fathom::confirm
