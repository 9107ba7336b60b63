// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_UNITTESTS_SOLVER_SOLVERTESTUTIL_H
#define FATHOM_UNITTESTS_SOLVER_SOLVERTESTUTIL_H

#include "solver/Chain.h"
#include "solver/Conjunction.h"
#include "support/Rng.h"

#include <algorithm>

namespace fathom::solver::test {

using namespace fathom::expr;

inline bool holds(const Model &model, const PathCondition &path, ExprPtr goal) {
  Evaluator evaluator;
  evaluator.setModel(model, 0);
  for (ExprPtr e : path.constraints())
    if (!evaluator.isTrue(e)) return false;
  return evaluator.isTrue(goal);
}

inline uint64_t countOf(const FeasibilityOracle &oracle, const std::string &stage,
                        uint64_t StageStats::*field) {
  for (const StageStats &s : oracle.stats())
    if (s.name == stage) return s.*field;
  return 0;
}

/// What stands below the stage under test: gives one answer, and counts how often it was asked.
class CountingSolver final : public ConjunctionSolver {
public:
  CountingSolver(unsigned &asked, Answer answer) : asked_(asked), answer_(std::move(answer)) {}
  Answer solve(const Conjunction &) override {
    ++asked_;
    return answer_;
  }
  void appendStats(std::vector<StageStats> &) const override {}

private:
  unsigned &asked_;
  Answer answer_;
};

/// `size` different terms that are not constant, from make().
template <typename Make> std::vector<ExprPtr> distinctConditions(size_t size, Make make) {
  std::vector<ExprPtr> set;
  while (set.size() < size) {
    ExprPtr e = make();
    if (!e->isConst() && std::find(set.begin(), set.end(), e) == set.end()) set.push_back(e);
  }
  return set;
}

/// Conditions as programs that read text, words and tables make them.
class RandomConditions {
public:
  RandomConditions(ExprContext &context, Rng &rng, unsigned bytes)
      : c(context), rng(rng), bytes_(bytes) {
    in = c.symbol("in", bytes);
    std::vector<uint8_t> contents(256);
    for (size_t i = 0; i < 256; ++i) contents[i] = static_cast<uint8_t>(i * 167 + 13) >> 1;
    table = c.constArray(contents);
  }
  ExprPtr byte() { return c.read(in, uint64_t(rng.below(bytes_))); }
  ExprPtr next() {
    ExprPtr b = byte(), d = byte(), word = c.concat(byte(), c.concat(byte(), c.concat(d, b)));
    switch (rng.below(10)) {
    case 0: return c.eq(b, c.constant(rng.below(256), 8));
    case 1:
      return c.ult(c.add(c.sext(b, 32), c.constant(0 - uint64_t(rng.below(100)), 32)),
                   c.constant(1 + rng.below(60), 32));
    case 2: return c.slt(c.sext(b, 32), c.constant(uint64_t(rng.below(250)) - 125, 32));
    case 3: return c.eq(b, d);
    case 4: return c.ult(c.zext(b, 32), c.zext(d, 32));
    case 5:
      return c.eq(c.urem(c.concat(b, d), c.constant(rng.below(30) + 1, 16)),
                  c.constant(rng.below(4), 16));
    case 6: return c.ult(word, c.constant(rng.next(), 32));
    case 7:
      return c.eq(c.bvAnd(c.read(table, c.zext(b, 64)), c.constant(7, 8)),
                  c.constant(rng.below(8), 8));
    case 8:
      return c.ult(c.read(in, c.zext(c.bvAnd(b, c.constant(7, 8)), 64)),
                   c.constant(rng.below(256), 8));
    default:
      return c.bvNot(c.eq(c.add(c.mul(c.zext(b, 16), c.constant(10, 16)), c.zext(d, 16)),
                          c.constant(rng.below(2800), 16)));
    }
  }
  ExprPtr goal() { // now and then several at once
    ExprPtr e = next();
    if (rng.below(3) == 0) e = c.bvAnd(e, next());
    if (rng.below(3) == 0) e = c.bvNot(e);
    return e;
  }
  ExprContext &c;
  Rng &rng;
  ExprPtr in, table;

private:
  unsigned bytes_;
};

/// Constraints on a buffer of 200 bytes that is read and written at symbolic indices, some of them
/// beyond its end.
class BufferConditions {
public:
  BufferConditions(ExprContext &context, Rng &rng) : c(context), rng(rng) {
    in = c.symbol("in", 3);
    buffer = c.symbol("buffer", 200);
  }
  ExprPtr byte() { return c.read(in, uint64_t(rng.below(3))); }
  ExprPtr small() { // an index
    ExprPtr b = byte();
    switch (rng.below(4)) {
    case 0: return c.zext(b, 64);
    case 1: return c.zext(c.bvAnd(b, c.constant(3, 8)), 64);
    case 2: return c.add(c.zext(c.bvAnd(b, c.constant(1, 8)), 64), c.constant(198, 64));
    default: return c.zext(c.read(buffer, c.zext(c.bvAnd(b, c.constant(7, 8)), 64)), 64);
    }
  }
  ExprPtr next() {
    ExprPtr array = buffer;
    for (unsigned n = rng.below(3); n > 0; --n)
      array = c.store(array, small(), rng.flip() ? byte() : c.constant(rng.below(256), 8));
    ExprPtr r = c.read(array, rng.below(4) ? small() : c.constant(rng.below(4), 64));
    switch (rng.below(5)) {
    case 0: return c.eq(r, c.constant(rng.below(256), 8));
    case 1: return c.ult(r, byte());
    case 2: return c.ult(c.constant(100, 8), r);
    case 3: return c.ult(byte(), c.constant(1 + rng.below(20), 8));
    default: return c.eq(c.bvAnd(byte(), c.constant(3, 8)), c.constant(rng.below(4), 8));
    }
  }
  ExprContext &c;
  Rng &rng;
  ExprPtr in, buffer;
};

inline bool holdsAll(const Model &model, std::span<const ExprPtr> constraints) {
  Evaluator evaluator;
  evaluator.setModel(model, 0);
  for (ExprPtr e : constraints)
    if (!evaluator.isTrue(e)) return false;
  return true;
}

/// a * b = product over 64-bit factors, both larger than 1: hopeless within any time limit of a
/// test.
inline ExprPtr factoring(ExprContext &c, ExprPtr in, uint64_t product) {
  auto word = [&](uint64_t at) {
    ExprPtr e = c.read(in, at);
    for (uint64_t i = 1; i < 8; ++i) e = c.concat(c.read(in, at + i), e);
    return e;
  };
  ExprPtr a = word(0), b = word(8), one = c.constant(1, 64);
  uint64_t words[2] = {product, 0};
  return c.bvAnd(c.eq(c.mul(c.zext(a, 128), c.zext(b, 128)), c.constantWide(words, 128)),
                 c.bvAnd(c.ult(one, a), c.ult(one, b)));
}
/// Its factors have no regular bits, which a search could try first.
inline constexpr uint64_t kSemiprime = 11554585525141436377ull; // 3037000507 * 3804604411

} // namespace fathom::solver::test
#endif
