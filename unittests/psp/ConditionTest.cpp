// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Condition.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <functional>

namespace fathom::psp {
namespace {

Samples named(std::initializer_list<const char *> names) {
  Samples samples;
  for (const char *name : names) samples.variable(name);
  return samples;
}

Condition parsed(const std::string &text, const Samples &samples) {
  auto out = parseCondition(text, samples);
  if (auto *error = std::get_if<ConditionError>(&out)) ADD_FAILURE() << text << ": " << error->text;
  return std::holds_alternative<Condition>(out) ? std::get<Condition>(out) : Condition::number(0);
}

std::string errorOf(const std::string &text, const Samples &samples) {
  auto out = parseCondition(text, samples);
  const auto *error = std::get_if<ConditionError>(&out);
  return error ? error->text : "";
}

TEST(Condition, HasThePrecedencesOfC) {
  const Samples samples = named({"a", "b"});
#define SAME(EXPRESSION)                                                                           \
  for (int64_t a = -3; a <= 3; ++a)                                                                \
    for (int64_t b = 1; b <= 3; ++b)                                                               \
      EXPECT_EQ(int64_t(*parsed(#EXPRESSION, samples).evaluate(State::of({a, b}))),                \
                int64_t(EXPRESSION))                                                               \
          << #EXPRESSION << " at " << a << ", " << b;
  SAME(a + b * 2 - a / b)
  SAME((a - b - 1) % 2)
  SAME((a < b) == (b > 2))
  SAME(a || (b && !a))
  SAME((a & 3) | (b ^ 1))
  SAME(((a + 4) << b) >> 1)
  SAME(-a + ~b + +a)
  SAME(a <= b && b >= 0x2)
  SAME(a != b || a == -1L)
#undef SAME
  EXPECT_EQ(int64_t(*parsed("a & 1 == 1", samples).evaluate(State::of({3, 0}))), 3 & (1 == 1));
  EXPECT_EQ(int64_t(*parsed("a || b && 0", samples).evaluate(State::of({1, 0}))), 1);
}

TEST(Condition, TakesTheLongestName) {
  const Samples samples = named({"b", "b[i]", "i", "p->n", "*p", "bi"});
  EXPECT_EQ(parsed("b [ i ] <= 3*i*i", samples).variables(), (std::vector<VariableId>{1, 2}));
  EXPECT_EQ(parsed("p->n > 2 * *p", samples).variables(), (std::vector<VariableId>{3, 4}));
  EXPECT_EQ(parsed("bi + b", samples).variables(), (std::vector<VariableId>{0, 5}));
}

TEST(Condition, SaysWhatIsWrong) {
  const Samples samples = named({"i", "n"});
  EXPECT_EQ(errorOf("i < m", samples), "unknown variable 'm'; known: i, n");
  EXPECT_EQ(errorOf("i <", samples), "expected a number or a variable at the end");
  EXPECT_EQ(errorOf("(i < n", samples), "expected ')'");
  EXPECT_EQ(errorOf("i n", samples), "expected an operator before 'n'");
  EXPECT_EQ(errorOf("i < 99999999999999999999", samples),
            "'99999999999999999999' is no number below 2^63");
  EXPECT_EQ(errorOf("i = n", samples), "expected an operator before '= n'");
  EXPECT_EQ(errorOf(std::string(100'000, '(') + "i", samples),
            "the condition is nested too deeply");
  std::string sum = "i";
  for (int i = 0; i < 300'000; ++i) sum += "+i";
  EXPECT_EQ(errorOf(sum, samples), "the condition has too many operators");
}

TEST(Condition, IsAbsentWhereCHasNoValue) {
  const Samples samples = named({"i", "n"});
  const Condition quotient = parsed("i / n < 5", samples);
  EXPECT_EQ(quotient.evaluate(State::of({3, 0})), std::nullopt);
  EXPECT_FALSE(quotient.holds(State::of({3, 0})));
  EXPECT_FALSE(quotient.negation().holds(State::of({3, 0})));
  EXPECT_EQ(parsed("n == 0 || i / n < 5", samples).evaluate(State::of({3, 0})), Wide(1));
  EXPECT_EQ(quotient.evaluate(State::of({3})), std::nullopt);
  EXPECT_TRUE(parsed("i * n > 0", samples).holds(State::of({INT64_MAX, INT64_MAX})));
}

TEST(Condition, PrintsWhatItReads) {
  const Samples samples = named({"b[i]", "i"});
  const Condition c = parsed("b[i] <= 3*i*i + 3*i", samples);
  EXPECT_EQ(c.text(samples.names()), "b[i] <= (((3 * i) * i) + (3 * i))");
  EXPECT_EQ(Condition::unary(Operator::Negate, Condition::number(-1)).text({}), "-(-1)");
  const VariableId only[] = {1, 0};
  EXPECT_EQ(c.renamed(only).text({"i", "b[i]"}), c.text(samples.names()));
}

/// Random conditions over small boxes: no state has a value outside of the interval.
TEST(Condition, IntervalsContainAllValues) {
  Rng rng(11);
  std::function<Condition(int)> draw = [&](int depth) -> Condition {
    if (depth == 0 || rng.below(6) == 0)
      return rng.flip() ? Condition::variable(rng.below(2))
                        : Condition::number(int64_t(rng.below(13)) - 6);
    const auto op = static_cast<Operator>(2 + rng.below(static_cast<uint32_t>(Operator::Or) - 1));
    if (op <= Operator::Not) return Condition::unary(op, draw(depth - 1));
    return Condition::binary(op, draw(depth - 1), draw(depth - 1));
  };
  uint64_t narrow = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Condition c = draw(3);
    std::pair<int64_t, int64_t> box[2];
    for (auto &[lo, hi] : box) {
      lo = int64_t(rng.below(15)) - 7;
      hi = lo + rng.below(5);
    }
    const Interval value = c.range(box);
    narrow += value.hi - value.lo < 1000;
    for (int64_t x = box[0].first; x <= box[0].second; ++x)
      for (int64_t y = box[1].first; y <= box[1].second; ++y)
        if (const std::optional<Wide> v = c.evaluate(State::of({x, y})))
          ASSERT_TRUE(value.lo <= *v && *v <= value.hi)
              << c.text({"x", "y"}) << " at " << x << ", " << y;
  }
  EXPECT_GT(narrow, 10'000u); // they say something
}

} // namespace
} // namespace fathom::psp
