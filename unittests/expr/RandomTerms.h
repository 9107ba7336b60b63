// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random terms for property tests, of the shapes that rewrite rules look for: few bytes, few
// constants, much sharing, extensions and slices everywhere. The generator only calls builders, so
// in a context that does not simplify it yields raw terms; `copyTo` rebuilds them in another
// context.
#ifndef FATHOM_UNITTESTS_EXPR_RANDOMTERMS_H
#define FATHOM_UNITTESTS_EXPR_RANDOMTERMS_H

#include "expr/ExprContext.h"
#include "expr/Fold.h"
#include "expr/Model.h"
#include "expr/TermVisitor.h"
#include "support/Rng.h"

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

namespace fathom::expr::test {

inline constexpr unsigned kWidths[] = {1, 3, 8, 16, 32, 64};

class RandomTerms {
public:
  RandomTerms(ExprContext &context, Rng &rng, bool wide = false)
      : c(context), rng(rng), wide_(wide) {
    input = c.symbol("in", 8);
    std::array<uint8_t, 40> bytes;
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i < 20 ? 7 : i * 37);
    table = c.constArray(bytes);
    restart();
  }

  void restart() {
    pool.clear();
    for (uint64_t i = 0; i < 4; ++i) pool[8].push_back(c.read(input, i));
    for (unsigned w : {16u, 32u, 64u}) {
      pool[w].push_back(c.zext(pool[8][0], w));
      pool[w].push_back(c.sext(pool[8][1], w));
    }
    pool[16].push_back(c.concat(pool[8][2], pool[8][1]));
    pool[32].push_back(
        c.concat(pool[8][3], c.concat(pool[8][2], c.concat(pool[8][1], pool[8][0]))));
    pool[3].push_back(c.extract(pool[8][0], 2, 3));
    pool[1].push_back(c.extract(pool[8][0], 7, 1));
    pool[1].push_back(c.eq(pool[8][0], pool[8][1]));
  }

  /// Any term of this width: one made before, a constant, or a new one.
  ExprPtr any(unsigned width) {
    auto &made = pool[width];
    if (!made.empty() && rng.below(8)) return made[rng.below(static_cast<uint32_t>(made.size()))];
    if (made.empty() ? rng.below(3) == 0 : rng.below(4) == 0) return constant(width);
    return grow(width);
  }

  ExprPtr constant(unsigned width) {
    static constexpr uint64_t kLikely[] = {0,  1,  2,  3,   4,   7,   8,   10,  15,  16,   31,   48,
                                           57, 64, 97, 127, 128, 129, 200, 255, 256, 1000, 65535};
    uint64_t v = kLikely[rng.below(std::size(kLikely))];
    switch (rng.below(4)) {
    case 0: v = 0 - v; break;
    case 1: v = uint64_t(rng.next()) << 32 | rng.next(); break;
    default: break;
    }
    if (width <= 64) return c.constant(v, width);
    uint64_t words[8] = {v, rng.flip() ? 0 : ~uint64_t(0), 0, v, 0, 0, 0, 1};
    return c.constantWide(words, width);
  }

  /// A new operation over terms made before, which it joins.
  ExprPtr grow(unsigned width) {
    ExprPtr e = make(width);
    for (int tries = 0; e->isConst() && tries < 5; ++tries) e = make(width);
    if (!e->isConst()) pool[width].push_back(e);
    return e;
  }

  unsigned someWidth() {
    if (wide_ && rng.below(4) == 0) return 64 + 8 * (1 + rng.below(8));
    return kWidths[rng.below(std::size(kWidths))];
  }

  ExprContext &c;
  Rng &rng;
  ExprPtr input, table;
  std::map<unsigned, std::vector<ExprPtr>> pool;

private:
  ExprPtr make(unsigned width) {
    using enum Kind;
    if (width == 1 && rng.below(2)) {
      static constexpr Kind kCompare[] = {Eq, Ult, Ule, Slt, Sle};
      unsigned w = someWidth();
      ExprPtr a = any(w), b = rng.flip() ? constant(w) : any(w);
      if (rng.below(4) == 0) std::swap(a, b);
      return c.binary(kCompare[rng.below(5)], a, b);
    }
    switch (rng.below(width == 8 ? 11 : 10)) {
    case 0: return c.bvNot(any(width));
    case 1:
      if (width > 1) {
        unsigned low = 1 + rng.below(width - 1);
        return c.concat(any(width - low), any(low));
      }
      [[fallthrough]];
    case 2: {
      unsigned from = someWidth();
      if (from > width) return c.extract(any(from), rng.below(from - width + 1), width);
      [[fallthrough]];
    }
    case 3:
    case 4: {
      unsigned from = kWidths[rng.below(std::size(kWidths))];
      if (from < width) return rng.flip() ? c.zext(any(from), width) : c.sext(any(from), width);
      [[fallthrough]];
    }
    case 5:
      return c.ite(any(1), rng.flip() ? constant(width) : any(width),
                   rng.flip() ? constant(width) : any(width));
    case 10: return c.read(rng.flip() ? ExprPtr(table) : someArray(), someIndex());
    default: {
      static constexpr Kind kOps[] = {And, Or,  Xor,  Add,  Sub,  And,  Or,  Xor,  Add,
                                      Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr};
      Kind kind = kOps[rng.below(std::size(kOps))];
      ExprPtr a = any(width), b = rng.flip() ? constant(width) : any(width);
      if ((kind == Shl || kind == LShr || kind == AShr) && rng.flip() && width <= 64)
        b = c.constant(rng.below(width + 2), width);
      if (rng.below(4) == 0) std::swap(a, b);
      return c.binary(kind, a, b);
    }
    }
  }
  ExprPtr someIndex() {
    if (rng.flip()) return c.constant(rng.below(6), 64);
    return rng.flip() ? c.zext(any(8), 64) : any(64);
  }
  ExprPtr someArray() {
    ExprPtr a = rng.flip() ? input : table;
    for (unsigned n = rng.below(4); n > 0; --n) a = c.store(a, someIndex(), any(8));
    return a;
  }
  bool wide_;
};

/// Rebuilds terms of one context in another that has the same symbols, created in the same order.
class Copier {
public:
  explicit Copier(ExprContext &to) : to_(to) {}
  ExprPtr operator()(ExprPtr root) {
    TermVisitor visitor; // marks nodes of the source context only
    visitPostOrder(root, visitor, [&](ExprPtr e) {
      if (done_.contains(e)) return;
      ExprPtr ops[3] = {};
      for (unsigned i = 0; i < e->numOps(); ++i) ops[i] = done_.at(e->op(i));
      done_[e] = copy(e, ops);
    });
    return done_.at(root);
  }

private:
  ExprPtr copy(ExprPtr e, std::span<const ExprPtr> ops) {
    if (e->kind() == Kind::SymbolArray) return to_.symbols()[e->array().index];
    if (e->kind() == Kind::ConstArray) return to_.constArray(e->array().contents);
    if (e->kind() != Kind::Const) return to_.rebuild(e, ops);
    uint64_t words[kMaxWidthBits / 64] = {};
    for (unsigned i = 0; i < (e->width() + 63) / 64; ++i) words[i] = e->word(i);
    return to_.constantWide(words, e->width());
  }
  ExprContext &to_;
  std::unordered_map<ExprPtr, ExprPtr> done_;
};

inline Model randomModel(ExprPtr symbol, Rng &rng) {
  static constexpr uint8_t kLikely[] = {0,  1,   7,   8,   9,   47,  48, 57,
                                        58, 127, 128, 129, 200, 254, 255};
  Model m;
  for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i)
    m.setByte(symbol, i,
              rng.flip() ? kLikely[rng.below(std::size(kLikely))]
                         : static_cast<uint8_t>(rng.next()));
  return m;
}

} // namespace fathom::expr::test
#endif
