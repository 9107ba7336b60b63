// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One term t(x) for many: unsimplified terms of one shape differ in numbers only, and each number
// is a x + b for the number x of the round. t(x_l) is the very term of the l-th one.
//
// Source: [merging23] Sec. 3.3. Departs: a number may also be a term over counters of earlier
// patterns; x + c and x count as alike (c is 0); a, b are found without a solver: they are what two
// of the numbers say, and the others have to agree.
#ifndef FATHOM_PATTERNS_TEMPLATE_H
#define FATHOM_PATTERNS_TEMPLATE_H

#include "expr/UnsimplifiedTerm.h"

#include <optional>
#include <span>
#include <vector>

namespace fathom::patterns {

class Template {
public:
  /// A template that is each[l] for x = xs[l]. REQUIRES as many of both, at least one, no x twice.
  /// Nullopt: there is no such template. O(sizes of the terms).
  static std::optional<Template> generalise(expr::UnsimplifiedTerms &unsimplified,
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
    Fixed,    ///< term
    Linear,   ///< slope * x + term
    Word,     ///< built_->width() / 8 bytes of the array term_ from the first part on
    Operation ///< the operation of `built_`, on the parts
  };
  class Generaliser;
  Form form_ = Form::Fixed;
  expr::ExprPtr term_ = nullptr;
  uint64_t slope_ = 0;
  expr::UnsimplifiedPtr built_ = nullptr;
  std::vector<Template> parts_;
};

} // namespace fathom::patterns
#endif
