// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of one defect while it is looked at (Confirmer::check).
#ifndef FATHOM_CONFIRM_CHECKING_H
#define FATHOM_CONFIRM_CHECKING_H

#include "confirm/Confirm.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace fathom::confirm {

/// Said of paths that refute a report unless unknown pointers lead into the middle of objects.
inline constexpr const char *kNotInside =
    " if pointers of unknown origin lead to no place inside of another object";

/// One defect, while it is looked at.
struct Confirmer::Checking {
  const DefectSearch &search;
  Clock::time_point end;
  Finding finding{};
  bool missesSource = false;   ///< Search::missesSource, of searches from the entry
  bool putsBack = false;       ///< Search::putsBack, of searches from the entry
  uint64_t pathsOfMain = 0;    ///< of searches before those from the entry
  bool isOfOneCall = false;    ///< refuted for a single call of the entry; it may be called again
  bool assumesOutside = false; ///< Search::assumesOutside, of what a refutation rests on
  bool holdsForAnyOverlap = false; ///< what one question said of it (OneQuestion.h)
  bool restsOnOverlap = false;     ///< open for that alone: all paths were followed
  /// The path that shows it takes a shape of callers' memory that they may never make: it reloads
  /// (Reloads.h), or two pointers lead to one object.
  bool isOfShape = false;
  bool isNullOfCallers = false; ///< the null pointer at its end is one of callers (NullOrigin.h)

  /// \param by  Finding::settledBy
  void settle(Verdict verdict, std::string reason, Cut cut = Cut::None, std::string by = "") {
    finding.verdict = verdict;
    finding.reason = std::move(reason);
    finding.cut = cut;
    finding.settledBy = std::move(by);
  }
  bool mayOverlap() const { return assumesOutside && !holdsForAnyOverlap; }
  void refuteByPaths(const std::string &why) {
    restsOnOverlap = mayOverlap();
    if (!restsOnOverlap) return settle(Verdict::Refuted, why);
    settle(Verdict::Open, why + kNotInside, Cut::Bounded);
  }
  std::chrono::milliseconds left() const {
    using std::chrono::milliseconds;
    return std::max(std::chrono::duration_cast<milliseconds>(end - Clock::now()), milliseconds(0));
  }
};

} // namespace fathom::confirm
#endif
