// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: all trees, without any of the enumeration's rules but one (what combines constants only
// is left out), each with the values that it has in all states.
#include "repair/Enumerate.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom::repair {
namespace {

using psp::Condition;
using psp::Operator;
using psp::State;
using Values = std::vector<int64_t>;

std::vector<State> box(int64_t lo, int64_t hi) {
  std::vector<State> out;
  for (int64_t a = lo; a <= hi; ++a)
    for (int64_t b = lo; b <= hi; ++b) out.push_back(State::of({a, b}));
  return out;
}

std::optional<Values> valuesOf(const Condition &formula, const std::vector<State> &states) {
  Values out;
  for (const State &state : states) {
    const std::optional<psp::Wide> value = formula.evaluate(state);
    if (!value || *value > INT64_MAX || *value < INT64_MIN) return std::nullopt;
    out.push_back(static_cast<int64_t>(*value));
  }
  return out;
}

constexpr Operator kArithmetic[] = {Operator::Add, Operator::Subtract, Operator::Multiply,
                                    Operator::Divide, Operator::Remainder};
constexpr Operator kComparisons[] = {Operator::Less,    Operator::LessEqual,
                                     Operator::Greater, Operator::GreaterEqual,
                                     Operator::Equal,   Operator::NotEqual};

struct Trees {
  std::vector<Condition> numbers, conditions;
};

Trees brute(const Grammar &grammar, unsigned depth) {
  Trees out;
  if (depth == 1) {
    for (psp::VariableId v = 0; v < grammar.variables; ++v)
      out.numbers.push_back(Condition::variable(v));
    for (const int64_t c : grammar.constants) out.numbers.push_back(Condition::number(c));
    out.conditions = {Condition::number(0), Condition::number(1)};
    return out;
  }
  const Trees inner = brute(grammar, depth - 1);
  out = inner;
  auto combine = [&](const std::vector<Condition> &from, auto &&ops, std::vector<Condition> &into) {
    for (const Condition &a : from)
      for (const Condition &b : from)
        for (const Operator op : ops)
          if (!a.variables().empty() || !b.variables().empty()) {
            const Condition made = Condition::binary(op, a, b);
            if (valuesOf(made, grammar.states)) into.push_back(made);
          }
  };
  combine(inner.numbers, kArithmetic, out.numbers);
  combine(inner.numbers, kComparisons, out.conditions);
  constexpr Operator kLogic[] = {Operator::And, Operator::Or};
  combine(inner.conditions, kLogic, out.conditions);
  return out;
}

std::set<Values> signatures(const std::vector<Condition> &trees, const std::vector<State> &states,
                            bool withConstants) {
  std::set<Values> out;
  for (const Condition &tree : trees) {
    const Values values = *valuesOf(tree, states);
    if (withConstants || std::set(values.begin(), values.end()).size() > 1) out.insert(values);
  }
  return out;
}

std::vector<Condition> firsts(const Enumeration &all) {
  std::vector<Condition> out;
  for (const CandidateClass &c : all.classes) out.push_back(c.first.formula);
  return out;
}

Grammar small(unsigned depth) {
  Grammar grammar;
  grammar.variables = 2;
  grammar.constants = {0, 1, 2};
  grammar.states = box(-2, 3);
  grammar.mostDepth = depth;
  grammar.mostClasses = 1'000'000;
  grammar.mostTried = 100'000'000;
  return grammar;
}

TEST(Enumerate, HasEveryFunctionOfDepthTwoOnce) {
  const Grammar grammar = small(2);
  const Trees trees = brute(grammar, 2);
  for (const Goal goal : {Goal::Number, Goal::Condition}) {
    const Enumeration all = enumerate(grammar, goal);
    EXPECT_EQ(all.completeDepth, 2u);
    const std::set<Values> expected =
        signatures(goal == Goal::Number ? trees.numbers : trees.conditions, grammar.states, true);
    EXPECT_EQ(signatures(firsts(all), grammar.states, true), expected);
    EXPECT_EQ(all.classes.size(), expected.size()) << "no function twice";
  }
}

TEST(Enumerate, HasEveryFunctionOfDepthThreeThatIsNoConstant) {
  // x - x is the constant 0 here, and what is made of constants only is left out.
  Grammar grammar = small(3);
  grammar.constants = {1};
  grammar.states = box(-1, 2);
  const Trees trees = brute(grammar, 3);
  auto without = [&](const std::vector<Condition> &in) {
    return signatures(in, grammar.states, false);
  };
  const std::set<Values> numbers = without(firsts(enumerate(grammar, Goal::Number)));
  const std::set<Values> conditions = without(firsts(enumerate(grammar, Goal::Condition)));
  EXPECT_EQ(numbers, without(trees.numbers));
  EXPECT_EQ(conditions, without(trees.conditions));
  EXPECT_GT(conditions.size(), 100u);
}

TEST(Enumerate, ByHand) {
  // One variable with the values 0 and 1, no constant. Numbers: x, x+x, x-x (x*x is x; x/x and x%x
  // are undefined at 0). Conditions of depth 2: 0, 1 only, as each comparison has one operand
  // twice.
  Grammar grammar;
  grammar.variables = 1;
  grammar.states = {State::of({0}), State::of({1})};
  grammar.mostDepth = 2;
  const Enumeration numbers = enumerate(grammar, Goal::Number);
  ASSERT_EQ(numbers.classes.size(), 3u);
  EXPECT_EQ(numbers.tried, 1u + 5) << "no condition is part of a number";
  EXPECT_EQ(numbers.classes[0].others.size(), 1u);
  EXPECT_EQ(numbers.classes[0].others[0].formula.text({"x"}), "x * x");
  EXPECT_EQ(numbers.classes[1].first.formula.text({"x"}), "x + x");
  EXPECT_EQ(numbers.classes[2].first.formula.text({"x"}), "x - x");
  const Enumeration conditions = enumerate(grammar, Goal::Condition);
  EXPECT_EQ(conditions.classes.size(), 2u);
  EXPECT_EQ(conditions.tried, 3u) << "numbers of depth 2 would be part of conditions of depth 3";
  // One constant, 1: x < 1, x <= 1 (always), x > 1 (never), x >= 1, x == 1, x != 1: with 0 and 1
  // the functions true, false, x, not x.
  grammar.constants = {1};
  EXPECT_EQ(enumerate(grammar, Goal::Condition).classes.size(), 4u);
}

TEST(Enumerate, SmallOnesComeFirstAndBoundsAreTold) {
  Grammar grammar = small(4);
  grammar.mostTried = 3'000;
  const Enumeration all = enumerate(grammar, Goal::Condition);
  EXPECT_EQ(all.completeDepth, 2u);
  EXPECT_EQ(all.tried, 3'000u);
  for (size_t i = 1; i < all.classes.size(); ++i) {
    const Candidate &a = all.classes[i - 1].first, &b = all.classes[i].first;
    EXPECT_LE(a.depth, b.depth);
    if (a.depth == b.depth) EXPECT_LE(a.size, b.size);
  }
  for (const CandidateClass &c : all.classes)
    for (const Candidate &other : c.others)
      EXPECT_EQ(valuesOf(other.formula, grammar.states), valuesOf(c.first.formula, grammar.states));
  // Asked every 1,024 expressions.
  EXPECT_EQ(enumerate(small(4), Goal::Condition, [] { return true; }).completeDepth, 2u);
}

TEST(Enumerate, NumbersWithoutRoomDoNotEndConditions) {
  Grammar grammar = small(4);
  grammar.states = box(0, 1); // so there are at most 16 different conditions, and many numbers
  grammar.mostClasses = 40;
  grammar.mostDepth = 2;
  ASSERT_EQ(enumerate(grammar, Goal::Number).completeDepth, 2u);
  grammar.mostDepth = 3;
  ASSERT_EQ(enumerate(grammar, Goal::Number).completeDepth, 2u);
  ASSERT_EQ(enumerate(grammar, Goal::Condition).completeDepth, 3u);
  grammar.mostDepth = 4;
  EXPECT_EQ(enumerate(grammar, Goal::Condition).completeDepth, 3u);
}

TEST(Enumerate, VariablesThatWereEqualStayApart) {
  Grammar grammar;
  grammar.variables = 2;
  grammar.constants = {7};
  grammar.states = {State::of({3, 3}), State::of({7, 7})};
  grammar.mostDepth = 2;
  std::set<std::string> texts;
  for (const CandidateClass &c : enumerate(grammar, Goal::Condition).classes) {
    texts.insert(c.first.formula.text({"a", "b"}));
    for (const Candidate &other : c.others) texts.insert(other.formula.text({"a", "b"}));
  }
  EXPECT_TRUE(texts.count("a < 7") && texts.count("b < 7"));
}

} // namespace
} // namespace fathom::repair
