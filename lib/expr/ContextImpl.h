// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/expr: the arena, the unique table and the rewriter behind ExprContext.
//
// Nodes live in slabs and never move; a sweep puts dead ones on a free list. The unique table is
// open addressing over tagged pointers: the upper 16 bits of a slot repeat bits of the hash, so
// that a probe touches a node only when it is almost certainly the one looked for.
//
// A rewrite is a member function that returns the simplified term, or null when no rule matches; it
// may also reorder or strengthen its operands in place. Rules call the public builders for their
// right-hand sides, so they compose. Depth bounds that recursion: a rule that would go deeper than
// kMaxRewriteDepth just does not match, which keeps the C++ stack safe on terms of any height.
#ifndef FATHOM_EXPR_CONTEXTIMPL_H
#define FATHOM_EXPR_CONTEXTIMPL_H

#include "expr/ExprContext.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <cassert>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace fathom::expr {

struct ExprContext::Impl {
  explicit Impl(ExprContext &context);
  ~Impl();

  // --- nodes (ExprContext.cpp)
  // ------------------------------------------------------------------------
  /// The unique node of this shape; made if there is none. `value` is the constant, or the offset
  /// of an Extract.
  ExprPtr intern(Kind kind, unsigned width, uint64_t value, ExprPtr a = nullptr,
                 ExprPtr b = nullptr, ExprPtr c = nullptr);
  /// The same, but null if there is none yet.
  ExprPtr find(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b) const;
  ExprPtr constantOf(const llvm::APInt &value);
  ExprPtr zero(unsigned width) {
    return width <= 64 ? ctx.constant(0, width) : constantOf(llvm::APInt::getZero(width));
  }
  ExprPtr internStore(ExprPtr array, ExprPtr index, ExprPtr byte);
  ExprPtr internApply(const ArrayInfo &results, ExprPtr input);
  /// The term of a floating-point operation: folded, simplified or made (FloatBuilders.cpp).
  ExprPtr floatTerm(const FloatOperation &o, ExprPtr a, ExprPtr b = nullptr, ExprPtr c = nullptr);

  // --- rules, one family per file
  // ---------------------------------------------------------------------
  ExprPtr rewriteBinary(Kind kind, ExprPtr &a, ExprPtr &b);
  ExprPtr rewriteIteArms(Kind kind, ExprPtr a, ExprPtr b);           // RewriteIte.cpp
  ExprPtr rewriteIte(ExprPtr &cond, ExprPtr &thenE, ExprPtr &elseE); //
  ExprPtr rewriteConcat(ExprPtr high, ExprPtr low);                  // RewriteSlices.cpp
  ExprPtr rewriteExtract(ExprPtr e, unsigned low, unsigned width);   //
  ExprPtr rewriteZExt(ExprPtr e, unsigned width);                    //
  ExprPtr rewriteSExt(ExprPtr e, unsigned width);                    //
  ExprPtr mergePieces(ExprPtr a, ExprPtr b);                         //
  ExprPtr offsetOf(ExprPtr e);
  ExprPtr baseOf(ExprPtr e);
  ExprPtr rewriteNot(ExprPtr e);                                       // RewriteBits.cpp
  ExprPtr rewriteAnd(ExprPtr &a, ExprPtr &b);                          //
  ExprPtr rewriteOr(ExprPtr &a, ExprPtr &b);                           //
  ExprPtr rewriteXor(ExprPtr &a, ExprPtr &b);                          //
  ExprPtr rewriteShift(Kind kind, ExprPtr a, ExprPtr b);               //
  ExprPtr rewriteOneBit(Kind kind, ExprPtr a, ExprPtr b);              //
  ExprPtr rewriteAdd(ExprPtr &a, ExprPtr &b);                          // RewriteArith.cpp
  ExprPtr rewriteSub(ExprPtr &a, ExprPtr &b);                          //
  ExprPtr rewriteMul(ExprPtr &a, ExprPtr &b);                          //
  ExprPtr rewriteDivRem(Kind kind, ExprPtr a, ExprPtr b);              //
  ExprPtr rewriteEq(ExprPtr &a, ExprPtr &b);                           // RewriteCompare.cpp
  ExprPtr rewriteEqConst(ExprPtr e, ExprPtr k);                        //
  ExprPtr rewriteUlt(ExprPtr a, ExprPtr b);                            //
  ExprPtr rewriteUltConst(ExprPtr e, ExprPtr k);                       //
  ExprPtr rewriteConstUlt(ExprPtr k, ExprPtr e);                       //
  ExprPtr rewriteSlt(ExprPtr a, ExprPtr b);                            //
  ExprPtr rewriteSltConst(ExprPtr e, ExprPtr k);                       //
  ExprPtr rewriteUle(ExprPtr a, ExprPtr b);                            //
  ExprPtr rewriteNarrowCompare(Kind kind, ExprPtr a, ExprPtr b);       //
  ExprPtr rewriteSle(ExprPtr a, ExprPtr b);                            //
  ExprPtr rewriteRead(ExprPtr &array, ExprPtr index);                  // RewriteArrays.cpp
  ExprPtr rewriteReadIte(ExprPtr array, ExprPtr index);                //
  ExprPtr rewriteFloat(const FloatOperation &o, ExprPtr a, ExprPtr b); // RewriteFloat.cpp
  ExprPtr rewriteFloatArithmetic(Kind kind, ExprPtr a, ExprPtr b);     //
  ExprPtr rewriteFConvert(ExprPtr e, unsigned width);                  //
  ExprPtr rewriteFRound(Rounding rounding, ExprPtr e);                 //
  ExprPtr rewriteFToInteger(const FloatOperation &o, ExprPtr e);       //
  ExprPtr rewriteFloatCompare(Kind kind, ExprPtr a, ExprPtr b);        // RewriteFCompare.cpp

  static constexpr unsigned kMaxRewriteDepth = 48;
  /// One level of rewriting for the lifetime of this object.
  struct Deeper {
    explicit Deeper(Impl &impl) : impl(impl) { ++impl.depth; }
    ~Deeper() { --impl.depth; }
    bool fine() const { return impl.depth <= kMaxRewriteDepth; }
    Impl &impl;
  };

  // --- data
  // -------------------------------------------------------------------------------------------
  ExprContext &ctx;
  unsigned depth = 0;
  std::vector<Expr *> slabs; // kNodesPerSlab each
  Expr *freeList = nullptr;  // linked through ops_[0]
  std::vector<uint64_t> slots;
  size_t occupied = 0;
  std::vector<ExprPtr> symbols;
  std::unordered_map<std::string, uint32_t> usedNames; // name -> next suffix to try
  std::vector<ExprPtr> uninitArrays;                   ///< of kUninitBlock bytes each
  std::unordered_map<ExprPtr, uint32_t> uninitBlocks;  ///< which one is this? looked up only
  /// External operations by name, and what their applications are as arrays.
  struct Operation {
    std::shared_ptr<ExternalOperation> operation;
    ArrayInfo results;
  };
  std::unordered_map<std::string, std::unique_ptr<Operation>> operations;
  std::vector<ExprPtr> markStack;

  static constexpr size_t kNodesPerSlab = 1024;
  static constexpr uint8_t kFree = 0xff; // numOps_ of a node on the free list
  Expr *allocate();
  void release(Expr *node); // frees what it owns; does not unlink
  void rebuildTable(size_t capacity);
  void insertSlot(uint32_t hash, const Expr *node);
  template <typename Equal> ExprPtr probe(uint32_t hash, const Equal &equal) const;
  ExprPtr addNode(Expr *node, uint32_t hash);
  void clearEvaluations();
};

// --- what rules ask about a term
// --------------------------------------------------------------------
/// Canonical order of a commutative operation: constants last, otherwise by structural hash. On a
/// collision of hashes the order stays as given, which is still the same in every run.
inline bool inOrder(ExprPtr a, ExprPtr b) {
  if (a->isConst() != b->isConst()) return b->isConst();
  return a->hash() <= b->hash();
}
inline bool isZero(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == 0;
  return toAPInt(e).isZero();
}
inline bool isAllOnes(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == lowMask(e->width());
  return toAPInt(e).isAllOnes();
}
inline bool isOne(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == 1;
  return toAPInt(e).isOne();
}
/// An Ite whose arms are both constants.
inline bool isConstIte(ExprPtr e) {
  return e->kind() == Kind::Ite && e->op(1)->isConst() && e->op(2)->isConst();
}
/// One is the negation of the other: by a Not, or as an order and its reverse (x < y, y <= x; x <
/// k, k-1 < x).
inline bool areComplements(ExprPtr e, ExprPtr f) {
  if (e->kind() == Kind::Not) return e->op(0) == f;
  if (f->kind() == Kind::Not) return f->op(0) == e;
  if (!isPredicate(e->kind()) || !isPredicate(f->kind()) || e->kind() == Kind::Eq) return false;
  const bool isSigned = e->kind() == Kind::Slt || e->kind() == Kind::Sle;
  const Kind strict = isSigned ? Kind::Slt : Kind::Ult, weak = isSigned ? Kind::Sle : Kind::Ule;
  if ((e->kind() == strict && f->kind() == weak) || (e->kind() == weak && f->kind() == strict))
    return e->op(0) == f->op(1) && e->op(1) == f->op(0);
  if (e->kind() != strict || f->kind() != strict || e->op(0)->width() > 64) return false;
  if (!e->op(1)->isConst()) std::swap(e, f);
  // e: x < k, f: k - 1 < x, where k - 1 does not wrap. (x < 0, signed x < min, is folded; but not
  // beyond the depth limit.)
  if (!e->op(1)->isConst() || !f->op(0)->isConst() || e->op(0) != f->op(1)) return false;
  const unsigned width = e->op(0)->width();
  const uint64_t k = e->op(1)->value(), least = isSigned ? uint64_t(1) << (width - 1) : 0;
  return k != least && f->op(0)->value() == k - 1;
}

} // namespace fathom::expr
#endif
