// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States at a loop's header that are to become one, as ways through the rounds since they were one:
// what all of them say, and the tree of what follows. Where a round goes both ways at a branch,
// nothing is said of that branch.
#ifndef FATHOM_EXPLORE_MERGE_ROUNDWAYS_H
#define FATHOM_EXPLORE_MERGE_ROUNDWAYS_H

#include "explore/merge/PathUnsimplifiedTerms.h"
#include "patterns/TreeEncoding.h"

#include <optional>
#include <span>

namespace fathom::explore {

class RoundWays {
public:
  /// before: what all members come from.
  struct Before {
    solver::PathCondition path;
    PersistentList<Decision> decisions;
  };
  RoundWays(std::span<const std::unique_ptr<State>> members, Before before,
            const expr::Counters &counters, expr::UnsimplifiedTerms &unsimplified,
            expr::ExprContext &context);
  RoundWays(const RoundWays &) = delete;

  /// With what all of them say.
  const Before &before() const { return before_; }
  /// What at least one of them says beyond that; and as it was built.
  ExprPtr condition() const { return condition_; }
  expr::UnsimplifiedPtr asBuilt() const { return asBuilt_; }

  /// Sorted by what they say, as in every round.
  const std::vector<const State *> &states() const { return states_; }
  /// What each of them says.
  const std::vector<ExprPtr> &conditions() const { return conditions_; }
  /// Conditions tell them apart, so that values can be chosen by them.
  bool areApart() const { return encoding_.has_value(); }
  /// terms[i] of states()[i], as one. REQUIRES: areApart.
  ExprPtr value(std::span<const ExprPtr> terms) const { return encoding_->value(terms); }

private:
  Before before_;
  ExprPtr condition_ = nullptr;
  expr::UnsimplifiedPtr asBuilt_ = nullptr;
  std::vector<const State *> states_;
  std::vector<ExprPtr> conditions_;
  patterns::ExecutionTree tree_;
  std::optional<patterns::TreeEncoding> encoding_;
};

} // namespace fathom::explore
#endif
