// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a path as unsimplified terms, in order: its decisions, implied sides too, and in
// between the other constraints of its path condition.
#ifndef FATHOM_EXPLORE_MERGE_PATHUNSIMPLIFIEDTERMS_H
#define FATHOM_EXPLORE_MERGE_PATHUNSIMPLIFIEDTERMS_H

#include "explore/state/State.h"
#include "expr/UnsimplifiedTerm.h"

#include <vector>

namespace fathom::explore {

struct PathPart {
  std::vector<ExprPtr> constraints;        ///< of the path condition, oldest first
  std::vector<const Decision *> decisions; ///< oldest first

  /// The part of s after `path` and `decisions`. REQUIRES that the path of s continues that path.
  static PathPart since(const State &s, const solver::PathCondition &path,
                        const PersistentList<Decision> &decisions);
  /// withImplied: also the sides that were taken because there was no other. O(constraints +
  /// decisions).
  std::vector<expr::UnsimplifiedPtr> unsimplifiedTerms(expr::UnsimplifiedTerms &unsimplified,
                                                       bool withImplied = true) const;
};

} // namespace fathom::explore
#endif
