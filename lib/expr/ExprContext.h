// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds terms. Every builder simplifies with cheap, local rules (see Rewrite*.cpp, one file per
// family, each rule with a line `// match -> result`) and returns the unique node. Rules never make
// a term larger.
#ifndef FATHOM_EXPR_EXPRCONTEXT_H
#define FATHOM_EXPR_EXPRCONTEXT_H

#include "expr/TermStore.h"

#include <llvm/ADT/DenseMap.h>

#include <span>
#include <string>
#include <utility>

namespace fathom::expr {

struct FloatOperation;

struct ExprOptions {
  bool simplify =
      true; ///< Off: only constant folding (an oracle for the rewrites, and for measuring them).
};

/// What terms are replaced with; looked up only, never iterated.
using TermImages = llvm::DenseMap<ExprPtr, ExprPtr>;

/// TermStore has the leaves, and collects terms that are no longer used.
class ExprContext : public TermStore {
public:
  explicit ExprContext(const ExprOptions &options = {});

  // --- arrays
  // ---------------------------------------------------------------------------------------
  ExprPtr read(ExprPtr array, ExprPtr index64);
  ExprPtr read(ExprPtr array, uint64_t index);
  ExprPtr store(ExprPtr array, ExprPtr index64, ExprPtr byte);

  // --- bit-vectors: operands of equal width unless said
  // -----------------------------------------------
  ExprPtr concat(ExprPtr high, ExprPtr low);
  ExprPtr extract(ExprPtr e, unsigned lowBit, unsigned width);
  ExprPtr zext(ExprPtr e, unsigned width); ///< width >= e->width(); the same width gives e.
  ExprPtr sext(ExprPtr e, unsigned width);
  ExprPtr trunc(ExprPtr e, unsigned width) { return extract(e, 0, width); }
  ExprPtr bvNot(ExprPtr e);
  ExprPtr neg(ExprPtr e);
  ExprPtr bvAnd(ExprPtr a, ExprPtr b);
  ExprPtr bvOr(ExprPtr a, ExprPtr b);
  ExprPtr bvXor(ExprPtr a, ExprPtr b);
  ExprPtr add(ExprPtr a, ExprPtr b);
  ExprPtr sub(ExprPtr a, ExprPtr b);
  ExprPtr mul(ExprPtr a, ExprPtr b);
  ExprPtr udiv(ExprPtr a, ExprPtr b);
  ExprPtr sdiv(ExprPtr a, ExprPtr b);
  ExprPtr urem(ExprPtr a, ExprPtr b);
  ExprPtr srem(ExprPtr a, ExprPtr b);
  ExprPtr shl(ExprPtr a, ExprPtr b);
  ExprPtr lshr(ExprPtr a, ExprPtr b);
  ExprPtr ashr(ExprPtr a, ExprPtr b);
  ExprPtr eq(ExprPtr a, ExprPtr b);
  ExprPtr ne(ExprPtr a, ExprPtr b) { return bvNot(eq(a, b)); }
  ExprPtr ult(ExprPtr a, ExprPtr b);
  ExprPtr ule(ExprPtr a, ExprPtr b);
  ExprPtr slt(ExprPtr a, ExprPtr b);
  ExprPtr sle(ExprPtr a, ExprPtr b);
  ExprPtr ite(ExprPtr cond, ExprPtr thenE, ExprPtr elseE);

  // --- bounded quantifiers: see Quantifiers.h
  /// The number that the next forall of this range above it counts. range > 0.
  ExprPtr bound(uint64_t range);
  /// body, which has no Bound but that of this range, holds for each number 1 .. min(count, range).
  /// count: 64 bits, closed.
  ExprPtr forall(uint64_t range, ExprPtr count, ExprPtr body);

  /// Any binary Kind (And ... AShr, Eq ... Sle, Concat, FAdd ... FLe).
  ExprPtr binary(Kind kind, ExprPtr a, ExprPtr b);
  /// A floating-point operation, on as many operands as it has. See FloatBuilders.h.
  ExprPtr floatTerm(const FloatOperation &operation, ExprPtr a, ExprPtr b = nullptr,
                    ExprPtr c = nullptr);

  /// The operation of `e` on other operands (as many, of fitting widths).
  ExprPtr rebuild(ExprPtr e, std::span<const ExprPtr> operands);
  /// e with every subterm that is a key of the (small) map replaced, rebuilt and simplified.
  ExprPtr substitute(ExprPtr e, std::span<const std::pair<ExprPtr, ExprPtr>> replacements);
  /// The same for many terms that share parts. In `images`, the keys are replaced by their values;
  /// the images of all visited subterms are added. onlyOpen: terms without a free Bound (kIsOpen)
  /// are copied unchanged; for replacements of a Bound, which cannot occur in them.
  ExprPtr substitute(ExprPtr e, TermImages &images, bool onlyOpen = false);

  const ExprOptions &options() const { return options_; }

private:
  struct Deeper;
  ExprPtr rewriteBinary(Kind kind, ExprPtr &a, ExprPtr &b);
  ExprOptions options_;
  unsigned depth_ = 0; ///< of rewriting
};

/// So many bytes of the array from the index on, the least significant first. bytes > 0.
ExprPtr readWord(ExprContext &context, ExprPtr array, ExprPtr index64, unsigned bytes);
inline ExprPtr readWord(ExprContext &context, ExprPtr array, uint64_t index, unsigned bytes) {
  return readWord(context, array, context.constant(index, 64), bytes);
}

/// Text in SMT-LIB syntax (shared subterms as lets), for logs and tests; one line.
std::string toString(ExprPtr e);
/// The same for a term of width 1, of SMT-LIB's sort Bool: what can be asserted.
std::string toFormula(ExprPtr e);

} // namespace fathom::expr
#endif
