// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides when a query that a path can do without is asked: now, or when a searcher wants the
// answer.
//
// Asking at once keeps infeasible sides out of the frontier and needs no copies for them. It pays
// if queries are cheap. If they are expensive, a path that asks at every branch does not come to
// its end. Then it is followed on its witness alone, and its other sides stay behind (Pending.h).
#ifndef FATHOM_EXPLORE_POLICY_BRANCHCHECKPOLICY_H
#define FATHOM_EXPLORE_POLICY_BRANCHCHECKPOLICY_H

#include "explore/Options.h"
#include "solver/Oracle.h"

#include <chrono>
#include <cstdint>

namespace fathom::explore {

class BranchCheckPolicy {
public:
  using Clock = solver::Clock;
  /// The options are valid.
  explicit BranchCheckPolicy(const ExploreOptions &options);

  /// Is a query left for later? followsSeed: the path is that of a seed.
  bool leaves(bool followsSeed) const {
    return mode_ == BranchChecks::Lazy ||
           (mode_ == BranchChecks::Auto && (followsSeed || (isTimed_ && isDear_)));
  }
  /// Does a query that is asked at once get a short time limit? It is left for later where that
  /// ends.
  bool limitsFirstQuery() const { return mode_ == BranchChecks::Auto && isTimed_; }
  /// If queries are left for later: does each symbolic address become one value?
  bool forksOnAddresses() const { return mode_ == BranchChecks::Lazy || limitsFirstQuery(); }
  /// A query took so long, and was answered at `now`.
  void asked(std::chrono::duration<double> took, Clock::time_point now);
  /// The time for a pending query that has timed out so often before. Expensive queries are tried
  /// shortly first, and longer when nothing else is left. `full`: for the last attempt.
  std::chrono::milliseconds timeFor(unsigned attempts, std::chrono::milliseconds full) const;

private:
  BranchChecks mode_;
  bool isTimed_; ///< Time may decide something: the run is not one that has to be reproducible.
  bool hasSeeds_;
  bool isDear_ = false;
  double mean_ = 0; ///< of the last questions, in seconds; older ones count less
  double feasibility_ = 0,
         all_ = 0; ///< seconds spent with questions, and in all; what is past fades
  Clock::time_point last_{};
};

} // namespace fathom::explore
#endif
