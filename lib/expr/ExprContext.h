// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds terms. Every builder simplifies with cheap, local rules (see Rewrite*.cpp, one file per
// family, each rule with a line `// match -> result`) and returns the unique node. Rules never make
// a term larger.
#ifndef FATHOM_EXPR_EXPRCONTEXT_H
#define FATHOM_EXPR_EXPRCONTEXT_H

#include "expr/Expr.h"
#include "expr/ExternalOperation.h"

#include <llvm/ADT/DenseMap.h>
#include <memory>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fathom::expr {

struct ExprOptions {
  bool simplify =
      true; ///< Off: only constant folding (an oracle for the rewrites, and for measuring them).
};

struct ExprStats {
  uint64_t created = 0; ///< Nodes ever allocated.
  uint64_t live = 0;    ///< Nodes in the unique table now.
  uint64_t hits = 0;    ///< Builder calls answered by an existing node.
  uint64_t swept = 0;   ///< Nodes reclaimed so far.
};

/// What terms are replaced with; looked up only, never iterated.
using TermImages = llvm::DenseMap<ExprPtr, ExprPtr>;

class ExprContext {
public:
  explicit ExprContext(const ExprOptions &options = {});
  ~ExprContext();
  ExprContext(const ExprContext &) = delete;
  ExprContext &operator=(const ExprContext &) = delete;

  // --- leaves
  // ---------------------------------------------------------------------------------------
  ExprPtr constant(uint64_t value, unsigned width); ///< width <= 64; value is truncated to it.
  ExprPtr constantWide(std::span<const uint64_t> words,
                       unsigned width); ///< least significant word first
  ExprPtr boolean(bool value) { return value ? true_ : false_; }
  ExprPtr trueExpr() const { return true_; }
  ExprPtr falseExpr() const { return false_; }

  /// A new symbolic array. A name in use gets a suffix (_1, _2 ...); see ArrayInfo::name for the
  /// final one.
  ExprPtr symbol(std::string_view name, uint64_t sizeBytes);
  /// The array with these bytes (hash-consed by contents).
  ExprPtr constArray(std::span<const uint8_t> contents);
  /// All symbols in order of creation: symbols()[i]->array().index == i.
  std::span<const ExprPtr> symbols() const;
  /// The 8-bit term that stands for byte `number` of those that a path finds unwritten
  /// (kHasUninit). It is a byte of an array of kUninitBlock such bytes; arrays are made as they are
  /// needed, and paths that number their bytes alike have the same terms.
  ExprPtr uninitByte(uint32_t number);
  static constexpr uint32_t kUninitBlock = 256;
  /// The number of such a byte; null for any other term.
  std::optional<uint32_t> uninitNumber(ExprPtr byte) const;

  // --- arrays
  // ---------------------------------------------------------------------------------------
  ExprPtr read(ExprPtr array, ExprPtr index64);
  ExprPtr read(ExprPtr array, uint64_t index);
  ExprPtr store(ExprPtr array, ExprPtr index64, ExprPtr byte);
  /// The array of the operation's outputBytes results for this input: a chain of stores at constant
  /// indices on a constArray of inputBytes bytes. An operation is known by its name: of several
  /// with the same one the first is kept, for as long as the context lives.
  ExprPtr apply(const std::shared_ptr<ExternalOperation> &operation, ExprPtr input);

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

  // --- floating point: operands are bit patterns of equal width, 16, 32 or 64 (FloatFold.h)
  // --------------------------------------------------------------------------------
  ExprPtr fadd(ExprPtr a, ExprPtr b) { return binary(Kind::FAdd, a, b); }
  ExprPtr fsub(ExprPtr a, ExprPtr b) { return binary(Kind::FSub, a, b); }
  ExprPtr fmul(ExprPtr a, ExprPtr b) { return binary(Kind::FMul, a, b); }
  ExprPtr fdiv(ExprPtr a, ExprPtr b) { return binary(Kind::FDiv, a, b); }
  ExprPtr feq(ExprPtr a, ExprPtr b) { return binary(Kind::FEq, a, b); } ///< 0 and -0 are equal.
  ExprPtr flt(ExprPtr a, ExprPtr b) { return binary(Kind::FLt, a, b); }
  ExprPtr fle(ExprPtr a, ExprPtr b) { return binary(Kind::FLe, a, b); }
  ExprPtr fsqrt(ExprPtr e);
  ExprPtr fround(Rounding rounding, ExprPtr e); ///< To an integral value.
  /// a * b + c rounded once; halves are rounded twice, to float first, as compilers do it.
  ExprPtr ffma(ExprPtr a, ExprPtr b, ExprPtr c);
  ExprPtr fconvert(ExprPtr e, unsigned width); ///< The same width gives e.
  ExprPtr stof(ExprPtr e, unsigned width);     ///< Of an integer of 1 .. 64 bits.
  ExprPtr utof(ExprPtr e, unsigned width);
  ExprPtr ftos(ExprPtr e, unsigned width); ///< To an integer of 1 .. 64 bits.
  ExprPtr ftou(ExprPtr e, unsigned width);
  // ... made of operations on bits
  ExprPtr fneg(ExprPtr e);
  ExprPtr fabs(ExprPtr e);
  ExprPtr fisNaN(ExprPtr e);

  /// Any binary Kind (And ... AShr, Eq ... Sle, Concat, FAdd ... FLe).
  ExprPtr binary(Kind kind, ExprPtr a, ExprPtr b);

  /// The operation of `e` on other operands (as many, of fitting widths).
  ExprPtr rebuild(ExprPtr e, std::span<const ExprPtr> operands);
  /// e with every subterm that is a key of the (small) map replaced, rebuilt and simplified.
  ExprPtr substitute(ExprPtr e, std::span<const std::pair<ExprPtr, ExprPtr>> replacements);
  /// The same for many terms that share parts: the images of what was walked over are added.
  ExprPtr substitute(ExprPtr e, TermImages &images);

  // --- reclaiming
  // -----------------------------------------------------------------------------------
  /// Mark and sweep: everything not reachable from the roots that `visitRoots` hands to its
  /// argument (and from leaves this context keeps itself: true, false, symbols) is freed. No Expr
  /// may be on a C++ stack during this call.
  template <typename Visit> void collect(Visit visitRoots) {
    beginMark();
    visitRoots([this](ExprPtr e) { mark(e); });
    sweep();
  }

  /// Number of calls of collect() so far. Whoever keeps a table keyed by terms without marking them
  /// as roots compares this with what it was when the table was filled, and starts over when it
  /// changed.
  uint64_t collections() const { return collections_; }
  const ExprStats &stats() const { return stats_; }
  const ExprOptions &options() const { return options_; }

private:
  struct Impl;
  void beginMark();
  void mark(ExprPtr e);
  void sweep();
  ExprOptions options_;
  ExprStats stats_;
  uint64_t collections_ = 0;
  ExprPtr true_ = nullptr, false_ = nullptr;
  std::unique_ptr<Impl> impl_;
};

/// Text in SMT-LIB syntax (shared subterms as lets), for logs and tests; one line.
std::string toString(ExprPtr e);
/// The same for a term of width 1, of SMT-LIB's sort Bool: what can be asserted.
std::string toFormula(ExprPtr e);

} // namespace fathom::expr
#endif
