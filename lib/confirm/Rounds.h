// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many pieces of work share one time. Which of them end soon is not known before, and one that
// never ends would take what many others need. So each gets a short try first, and what is left
// goes to those that need more, in rounds with growing limits. A try begins anew: what it repeats
// is at most a fraction of what it adds, for the limits grow geometrically.
#ifndef FATHOM_CONFIRM_ROUNDS_H
#define FATHOM_CONFIRM_ROUNDS_H

#include "confirm/Children.h"

#include <optional>
#include <vector>

namespace fathom::confirm {

/// When all has to be over; none: no bound.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
/// Negative when it is over; none: no bound.
std::optional<std::chrono::milliseconds> leftUntil(const Deadline &end);

/// One round: every piece of work that takes part may take so long.
struct Round {
  unsigned number = 1;
  size_t items = 0; ///< that take part
  std::chrono::milliseconds limit{0};
  bool isWhole = true;    ///< the limit is the largest: RoundOptions::perItem
  bool isCounted = false; ///< what ends them all is RoundOptions::most, and no time
};

struct RoundOptions {
  ChildrenOptions children;             ///< `wall` and `all` follow from what is below
  std::chrono::milliseconds perItem{0}; ///< the most that one piece of work may take
  Deadline until;                       ///< of all; none: one round, with perItem
  /// So many rounds; 0: any number. Without `until` their limits are those of nextLimit, and no
  /// clock of the machine decides how many there are.
  unsigned most = 0;
  /// A try that goes on for so many times its limit, and a grace, is killed.
  unsigned patience = 1;
  /// Called after each round; after the last one, or when all is over, with true.
  std::function<void(bool isLast)> ended = [](bool) {};
};

/// What becomes of a piece of work after a try.
enum class Next : uint8_t {
  Settled,
  Again,     ///< more time may settle it
  AgainLater ///< ... or say more of it than is known now; after the ones that are not settled
};

/// The limit of the first round: half of the time for all, shared; all of it where each has a child
/// of its own; at least 0.2 s. `left` is none: perItem, or 0.5 s where rounds are counted.
std::chrono::milliseconds firstLimit(size_t items, unsigned jobs,
                                     std::optional<std::chrono::milliseconds> left,
                                     std::chrono::milliseconds perItem, bool isCounted = false);
/// The limit of the round after one with this limit: 0.5 s, 2 s, 10 s and so on, and at least twice
/// as much; perItem in the end.
std::chrono::milliseconds nextLimit(std::chrono::milliseconds limit,
                                    std::chrono::milliseconds perItem);

/// Calls work(i, round) in children, for i in [0, tried.size()), in this order, and done(i, end,
/// round) here after each try, in the order in which they end. One for which it says so takes part
/// in the next round. After the end of all (ChildEnd::Kind::AllOver, Interrupted) done is called
/// once more for each that is left; so it is after the last round (RoundOptions::most) for each
/// that was in none, as AllOver. `begun` is called before each round. What `work` is told has as
/// limit what is left of all, if that is less, so that a try in vain ends in order; it does not
/// return "".
///
/// \param tried  how long each was tried before, in vain: it is tried if it gets more.
void runInRounds(std::vector<std::chrono::milliseconds> tried, const RoundOptions &options,
                 const std::function<std::string(size_t, const Round &)> &work,
                 const std::function<Next(size_t, const ChildEnd &, const Round &)> &done,
                 const std::function<void(const Round &)> &begun);

} // namespace fathom::confirm
#endif
