// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds on the paths of a regular group, as one condition with a counter and a quantifier.
//
// Source: [merging23] Def. 3.5, 3.6, Sec. 3.3.
#ifndef FATHOM_PATTERNS_FORMULAPATTERN_H
#define FATHOM_PATTERNS_FORMULAPATTERN_H

#include "patterns/RegularPattern.h"
#include "patterns/TermTemplate.h"

namespace fathom::patterns {

/// first AND (forall i. 1 <= i <= k -> round(i)) AND last(k) is the tree's condition of the leaf
/// with the count k, for each member of the group.
class FormulaPattern {
public:
  /// Nullopt: some condition is no term a x + b. REQUIRES: the group's pattern has a core.
  static std::optional<FormulaPattern> find(const ExecutionTree &tree, const RegularGroup &group,
                                            expr::UnsimplifiedTerms &unsimplified,
                                            expr::ExprContext &context);

  /// The merged condition, for the counter k (64 bits): its range, first, the quantified rounds,
  /// last. As conjuncts; the root's own path condition is not among them.
  std::vector<expr::ExprPtr> condition(const expr::UnsimplifiedTerms &unsimplified,
                                       expr::ExprContext &context, expr::ExprPtr k) const;
  /// Its parts, as conjuncts.
  const std::vector<expr::ExprPtr> &first() const { return first_; }
  std::vector<expr::ExprPtr> round(const expr::UnsimplifiedTerms &unsimplified,
                                   expr::ExprContext &context, expr::ExprPtr x) const {
    return at(round_, unsimplified, context, x);
  }
  std::vector<expr::ExprPtr> last(const expr::UnsimplifiedTerms &unsimplified,
                                  expr::ExprContext &context, expr::ExprPtr x) const {
    return at(last_, unsimplified, context, x);
  }
  uint64_t maxCount() const { return counts_.back(); }
  const std::vector<uint64_t> &counts() const { return counts_; }

private:
  static std::vector<expr::ExprPtr> at(const std::vector<TermTemplate> &parts,
                                       const expr::UnsimplifiedTerms &unsimplified,
                                       expr::ExprContext &context, expr::ExprPtr x);
  expr::ExprPtr isCount(expr::ExprContext &context, expr::ExprPtr k) const;
  std::vector<uint64_t> counts_; ///< ascending
  std::vector<expr::ExprPtr> first_;
  std::vector<TermTemplate> round_, last_;
};

/// The members' values merged into one term over the counter k; null: none is found. values[j]
/// belongs to the j-th member.
expr::ExprPtr mergedValue(std::span<const expr::ExprPtr> values, const RegularGroup &group,
                          const expr::Counters &counters, expr::UnsimplifiedTerms &unsimplified,
                          expr::ExprContext &context, expr::ExprPtr k);

} // namespace fathom::patterns
#endif
