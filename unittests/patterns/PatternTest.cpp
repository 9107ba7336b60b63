// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of execution trees: those of the paper's example, and that what is merged means what the
// leaves mean, one by one.
#include "Prover.h"

#include "expr/Model.h"
#include "expr/Quantifiers.h"
#include "expr/TermVisitor.h"
#include "patterns/FormulaPattern.h"
#include "patterns/TreeEncoding.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;
using namespace fathom::patterns;

namespace {

class Patterns : public testing::Test {
protected:
  ExprPtr number(uint64_t value, unsigned width = 64) { return c.constant(value, width); }
  ExprPtr word(ExprPtr array, uint64_t offset, unsigned bytes) {
    return unsimplified.word(array, number(offset), bytes);
  }
  UnsimplifiedPtr built(Kind kind, ExprPtr a, ExprPtr b) {
    ExprPtr e = c.binary(kind, a, b);
    unsimplified.built(e, kind, {a, b});
    return unsimplified.of(e);
  }
  UnsimplifiedPtr isNot(UnsimplifiedPtr l) { return unsimplified.negation(l); }

  ExprContext c;
  UnsimplifiedTerms unsimplified{c};
  ExprPtr s = c.symbol("s", 1024), n = c.symbol("n", 8), k = c.symbol("k", 8);
  ExprPtr counter = word(k, 0, 8);
};

/// memspn(s, n, "a") with n <= most.
struct Memspn : Patterns {
  ExecutionTree tree;
  std::vector<NodeId> toEnd, toOther; ///< leaves: n <= k, and s[k] != 'a'
  std::vector<ExprPtr> counts;        ///< of each leaf of a group

  void explore(uint64_t most) {
    NodeId at = ExecutionTree::kRoot;
    for (uint64_t i = 0; i <= most; i++) {
      UnsimplifiedPtr more = built(Kind::Ult, number(i), word(n, 0, 8));
      toEnd.push_back(tree.add(at, isNot(more)));
      if (i == most) break;
      at = tree.add(at, more);
      UnsimplifiedPtr isA = built(Kind::Eq, c.sext(word(s, i, 1), 32), number('a', 32));
      toOther.push_back(tree.add(at, isNot(isA)));
      at = tree.add(at, isA);
    }
  }
  /// The conjunction of what the pattern says, for one k, and of the leaf.
  void expectSame(const FormulaPattern &f, const RegularGroup &group) {
    for (const auto &member : group.members) {
      ExprPtr ofLeaf = c.trueExpr(), merged = c.trueExpr();
      for (UnsimplifiedPtr l : tree.conditions(ExecutionTree::kRoot, member.leaf))
        ofLeaf = c.bvAnd(ofLeaf, unsimplified.instantiate(l));
      for (ExprPtr e : f.condition(unsimplified, c, number(member.count)))
        merged = c.bvAnd(merged, expand(c, e));
      Prover prover;
      EXPECT_EQ(prover.equal(c, ofLeaf, c, merged), Prover::Verdict::Equal)
          << toString(ofLeaf) << "\n"
          << toString(merged);
    }
  }
};

// [merging23] Table 1.
TEST_F(Memspn, TwoPatternsAndTheirFormulas) {
  explore(3);
  auto other = findPatterns(tree, toOther), end = findPatterns(tree, toEnd);
  ASSERT_TRUE(other && end);
  ASSERT_EQ(other->size(), 1u);
  ASSERT_EQ(end->size(), 1u);
  const RegularPattern &p = other->front().pattern, &q = end->front().pattern;
  EXPECT_TRUE(p.before.empty());
  ASSERT_EQ(p.core.size(), 2u);
  ASSERT_EQ(p.after.size(), 2u);
  EXPECT_EQ(p.core[0], p.after[0]);
  EXPECT_NE(p.core[1], p.after[1]);
  EXPECT_TRUE(q.before.empty());
  EXPECT_EQ(q.core, p.core);
  EXPECT_EQ(q.after.size(), 1u);
  for (const auto *group : {&other->front(), &end->front()})
    for (size_t j = 0; j < group->members.size(); j++) EXPECT_EQ(group->members[j].count, j);
  EXPECT_EQ(other->front().members.size(), 3u);
  EXPECT_EQ(end->front().members.size(), 4u);

  auto f = FormulaPattern::find(tree, other->front(), unsimplified, c);
  auto g = FormulaPattern::find(tree, end->front(), unsimplified, c);
  ASSERT_TRUE(f && g);
  ExprPtr size = word(n, 0, 8);
  auto isA = [&](ExprPtr at) { return c.eq(c.read(s, at), number('a', 8)); };
  ExprPtr before = c.sub(counter, number(1));
  EXPECT_TRUE(f->first().empty());
  EXPECT_EQ(f->round(unsimplified, c, counter), (std::vector{c.ult(before, size), isA(before)}));
  EXPECT_EQ(f->last(unsimplified, c, counter),
            (std::vector{c.ult(counter, size), c.bvNot(isA(counter))}));
  EXPECT_EQ(g->round(unsimplified, c, counter), f->round(unsimplified, c, counter));
  EXPECT_EQ(g->last(unsimplified, c, counter), (std::vector{c.ule(size, counter)}));
  expectSame(*f, other->front());
  expectSame(*g, end->front());

  // count, in a register of 32 bits
  std::vector<ExprPtr> values{number(0, 32), number(1, 32), number(2, 32)};
  EXPECT_EQ(mergedValue(values, other->front(), {}, unsimplified, c, counter),
            c.trunc(counter, 32));
  values[2] = number(5, 32);
  EXPECT_EQ(mergedValue(values, other->front(), {}, unsimplified, c, counter), nullptr);
}

TEST_F(Memspn, TheConditionDoesNotGrowWithTheBound) {
  auto sizeOf = [&](ExprPtr e) {
    TermVisitor visitor;
    size_t size = 0;
    visitPreOrder(e, visitor, [&](ExprPtr) { return ++size > 0; });
    return size;
  };
  std::set<size_t> sizes;
  for (uint64_t most : {10, 100, 1000}) {
    tree = ExecutionTree();
    toEnd.clear();
    toOther.clear();
    explore(most);
    auto groups = findPatterns(tree, toOther);
    ASSERT_TRUE(groups);
    ASSERT_EQ(groups->size(), 1u);
    EXPECT_EQ(groups->front().members.size(), most);
    auto f = FormulaPattern::find(tree, groups->front(), unsimplified, c);
    ASSERT_TRUE(f);
    ExprPtr all = c.trueExpr();
    for (ExprPtr e : f->condition(unsimplified, c, counter)) all = c.bvAnd(all, e);
    EXPECT_TRUE(all->has(kHasForall));
    sizes.insert(sizeOf(all));
  }
  EXPECT_LE(*sizes.rbegin(), *sizes.begin() + 4); // more digits in a number
}

/// Some counts lead to no leaf, as where states end in errors.
TEST_F(Memspn, CountsNeedNotBeConsecutive) {
  explore(9);
  std::erase(toOther, toOther[4]);
  std::erase(toOther, toOther[6]);
  auto groups = findPatterns(tree, toOther);
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 1u);
  auto f = FormulaPattern::find(tree, groups->front(), unsimplified, c);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->counts(), (std::vector<uint64_t>{0, 1, 2, 3, 5, 6, 8}));
  expectSame(*f, groups->front());
  EXPECT_TRUE(f->condition(unsimplified, c, number(4))[0]->isFalse());
}

TEST_F(Patterns, CoresGoAsFarLeftAsTheyCan) {
  // x y (z y)^k w: the part that repeats is y z, and begins one condition earlier.
  std::map<char, UnsimplifiedPtr> letters;
  for (char letter : {'x', 'y', 'z', 'w'}) {
    ExprPtr array = c.symbol(std::string(1, letter), 1);
    letters[letter] = unsimplified.of(c.eq(c.read(array, uint64_t(0)), number(1, 8)));
  }
  ExecutionTree tree;
  std::vector<NodeId> leaves;
  for (std::string text : {"xyw", "xyzyw", "xyzyzyw", "xyzyzyzyw"}) {
    NodeId at = ExecutionTree::kRoot;
    for (char letter : text) at = tree.add(at, letters[letter]);
    leaves.push_back(at);
  }
  EXPECT_TRUE(tree.hasDistinctSiblings());
  auto groups = findPatterns(tree, leaves);
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 1u);
  EXPECT_EQ(groups->front().members.size(), 4u);
  EXPECT_EQ(groups->front().pattern.before, PathWord{UnsimplifiedTerms::shape(letters['x'])});
  EXPECT_EQ(groups->front().pattern.core, (PathWord{UnsimplifiedTerms::shape(letters['y']),
                                                    UnsimplifiedTerms::shape(letters['z'])}));
}

/// s[i] != '!', s[i] != '/', s[i] == 0: conditions of a round that differ in numbers only.
TEST_F(Patterns, RoundsAreLongerThanTheShortestCore) {
  ExecutionTree tree;
  std::vector<NodeId> leaves;
  NodeId at = ExecutionTree::kRoot;
  auto is = [&](uint64_t i, uint64_t value) {
    return built(Kind::Eq, word(s, i, 1), number(value, 8));
  };
  for (uint64_t i = 0; i < 6; i++) {
    at = tree.add(tree.add(at, isNot(is(i, '!'))), isNot(is(i, '/')));
    leaves.push_back(tree.add(at, is(i, 0)));
    at = tree.add(at, isNot(is(i, 0)));
  }
  auto groups = findPatterns(tree, leaves);
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 1u);
  EXPECT_EQ(groups->front().pattern.core.size(), 1u);
  EXPECT_FALSE(FormulaPattern::find(tree, groups->front(), unsimplified, c));
  auto parts = withLongerRounds(groups->front(), 3);
  ASSERT_EQ(parts.size(), 1u);
  auto f = FormulaPattern::find(tree, parts.front(), unsimplified, c);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->counts(), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(f->last(unsimplified, c, counter)[2], c.eq(c.read(s, counter), number(0, 8)));
}

TEST_F(Patterns, WithoutRepetitionEachLeafIsAlone) {
  ExecutionTree tree;
  std::vector<NodeId> leaves;
  for (int i = 0; i < 5; i++) {
    ExprPtr array = c.symbol("a" + std::to_string(i), 1);
    leaves.push_back(tree.add(0, unsimplified.of(c.eq(c.read(array, uint64_t(0)), number(1, 8)))));
  }
  auto groups = findPatterns(tree, leaves);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->size(), 5u);
  for (const auto &group : *groups) EXPECT_TRUE(group.pattern.core.empty());
  EXPECT_FALSE(findPatterns(tree, leaves, {.maxGroups = 4}));
}

TEST_F(Patterns, SiblingsThatLookAlikeHaveNone) {
  ExecutionTree tree;
  for (uint64_t value : {1, 2})
    tree.add(0, unsimplified.of(c.eq(c.read(s, uint64_t(0)), number(value, 8))));
  EXPECT_FALSE(tree.hasDistinctSiblings());
  std::vector<NodeId> leaves{1, 2};
  EXPECT_FALSE(findPatterns(tree, leaves));
}

// --- templates

struct Templates : Patterns {
  std::optional<TermTemplate> generalise(const std::vector<ExprPtr> &terms,
                                         const std::vector<uint64_t> &xs,
                                         const Counters &counters = {}) {
    std::vector<UnsimplifiedPtr> each;
    for (ExprPtr e : terms) each.push_back(unsimplified.of(e));
    return TermTemplate::generalise(unsimplified, c, counters, each, xs);
  }
  ExprPtr at(const TermTemplate &t) { return t.at(unsimplified, c, counter); }
};

TEST_F(Templates, NumbersGrowByAStep) {
  auto t = generalise({number(7), number(10), number(16)}, {0, 1, 3});
  ASSERT_TRUE(t);
  EXPECT_EQ(at(*t), c.add(c.mul(counter, number(3)), number(7)));
  EXPECT_FALSE(generalise({number(7), number(10), number(15)}, {0, 1, 3}));
  t = generalise({number(5, 8), number(3, 8), number(255, 8)}, {1, 2, 4}); // downwards, and around
  ASSERT_TRUE(t);
  EXPECT_EQ(t->at(unsimplified, c, number(3)), number(1, 8));
  EXPECT_FALSE(generalise({number(1), number(2)}, {0, 2})); // by halves
  t = generalise({number(1, 8), number(2, 8)}, {0, 3});     // 3 a = 1 in eight bits: 171
  ASSERT_TRUE(t);
  EXPECT_FALSE(t->isFixed());
}

TEST_F(Templates, SumsWithNothingCountToo) {
  ExprPtr x = word(n, 0, 4);
  std::vector<ExprPtr> terms{x};
  for (uint64_t i = 1; i < 4; i++) {
    terms.push_back(c.add(x, number(i, 32)));
    unsimplified.built(terms.back(), Kind::Add, {x, number(i, 32)});
  }
  auto t = generalise(terms, {0, 1, 2, 3});
  ASSERT_TRUE(t);
  EXPECT_EQ(at(*t), c.add(x, c.trunc(counter, 32)));
}

TEST_F(Templates, NumbersMayBeOfEarlierCounters) {
  ExprPtr earlier = c.symbol("earlier", 8), k1 = word(earlier, 0, 8);
  std::vector<ExprPtr> terms;
  for (uint64_t i = 0; i < 4; i++) {
    ExprPtr offset = c.add(k1, number(i));
    if (i) unsimplified.built(offset, Kind::Add, {k1, number(i)});
    terms.push_back(c.eq(c.read(s, offset), number('b', 8)));
    unsimplified.built(c.read(s, offset), Kind::Read, {s, offset});
    unsimplified.built(terms.back(), Kind::Eq, {c.read(s, offset), number('b', 8)});
  }
  EXPECT_TRUE(generalise(terms, {0, 1, 2, 3}, {earlier}));
  auto t = generalise(terms, {0, 1, 2, 3}, {earlier});
  ASSERT_TRUE(t);
  EXPECT_EQ(at(*t), c.eq(c.read(s, c.add(k1, counter)), number('b', 8)));
}

TEST_F(Templates, OtherShapesHaveNone) {
  EXPECT_FALSE(generalise({word(n, 0, 4), word(s, 0, 4)}, {0, 1}));
  EXPECT_FALSE(generalise({c.add(word(n, 0, 4), word(n, 4, 4)), word(n, 0, 4)}, {0, 1}));
}

/// What is found for random progressions is the progression.
TEST_F(Templates, RandomProgressionsAreFound) {
  Rng rng(9);
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned width = 8u << rng.below(4);
    const uint64_t a = rng.below(5) ? rng.below(9) - 4 : rng.next(), b = rng.next();
    std::vector<uint64_t> xs;
    std::vector<ExprPtr> terms;
    for (uint64_t x = rng.below(3); xs.size() < 4; x += 1 + rng.below(3)) {
      xs.push_back(x);
      terms.push_back(number(a * x + b, width));
    }
    auto t = generalise(terms, xs);
    ASSERT_TRUE(t) << a << " " << b << " " << width;
    for (size_t l = 0; l < xs.size(); l++)
      ASSERT_EQ(t->at(unsimplified, c, number(xs[l])), terms[l]);
  }
}

} // namespace

// --- along the tree

// The conditions of two siblings can both hold, as long as those of their leaves cannot: then the
// value is that of the leaf, not of the sibling that comes first.
TEST_F(Patterns, ByTheTreeWhereSiblingsOverlap) {
  ExprPtr x = word(s, 0, 1);
  auto below = [&](uint64_t most) { return built(Kind::Ult, x, number(most, 8)); };
  ExecutionTree tree;
  const NodeId a = tree.add(ExecutionTree::kRoot, below(20)),
               b = tree.add(ExecutionTree::kRoot, below(30));
  const std::vector<NodeId> leaves = {tree.add(a, below(10)), tree.add(b, isNot(below(10)))};
  const TreeEncoding encoding(tree, leaves, unsimplified, c);
  ExprPtr value = encoding.value(std::vector<ExprPtr>{number(1), number(2)});
  expr::Evaluator evaluator;
  for (unsigned v = 0; v < 40; v++) {
    expr::Model model;
    model.setByte(s, 0, static_cast<uint8_t>(v));
    evaluator.setModel(model, v + 1);
    EXPECT_EQ(evaluator.eval(encoding.condition()), v < 30) << v;
    if (v < 30) EXPECT_EQ(evaluator.eval(value), v < 10 ? 1u : 2u) << v;
  }
}
