// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generalises unsimplified terms of one shape, which differ in numbers only, to one term t(x),
// where x is the number of the round: t(x_l) is identical to the l-th term. Each number of t is a x
// + b.
//
// Source: [merging23] Sec. 3.3. Departs: a number may also be a term over counters of earlier
// patterns; x + c and x count as alike (c is 0); a, b are found without a solver: they are what two
// of the numbers say, and the others have to agree.
#ifndef FATHOM_PATTERNS_TERMTEMPLATE_H
#define FATHOM_PATTERNS_TERMTEMPLATE_H

#include "expr/UnsimplifiedTerm.h"

#include <optional>
#include <span>
#include <vector>

namespace fathom::patterns {

class TermTemplate {
public:
  /// The template t with t(xs[l]) = each[l] for all l; nullopt if there is none. REQUIRES that
  /// `each` and `xs` have one length, at least 1, and that no x occurs twice. O(sizes of the
  /// terms).
  static std::optional<TermTemplate> generalise(expr::UnsimplifiedTerms &unsimplified,
                                                expr::ExprContext &context,
                                                const expr::Counters &counters,
                                                std::span<const expr::UnsimplifiedPtr> each,
                                                std::span<const uint64_t> xs);

  /// x: 64 bits.
  expr::ExprPtr at(const expr::UnsimplifiedTerms &unsimplified, expr::ExprContext &context,
                   expr::ExprPtr x) const;
  /// t does not depend on x.
  bool isFixed() const;

private:
  enum class Form : uint8_t {
    Fixed,     ///< term_
    Linear,    ///< slope_ * x + term_
    ByteRange, ///< built_->width() / 8 bytes of the array term_, from the offset parts_[0] on
    Operation  ///< the operation of `built_`, on the parts
  };
  class Generaliser;
  Form form_ = Form::Fixed;
  expr::ExprPtr term_ = nullptr;
  uint64_t slope_ = 0;
  expr::UnsimplifiedPtr built_ = nullptr;
  std::vector<TermTemplate> parts_;
};

} // namespace fathom::patterns
#endif
