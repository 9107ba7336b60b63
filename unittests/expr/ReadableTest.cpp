// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Readable.h"

#include "expr/ExprContext.h"

#include <gtest/gtest.h>

namespace fathom::expr {
namespace {

class Readable : public testing::Test {
protected:
  ExprPtr word(ExprPtr array) {
    ExprPtr all = byte(array, 0);
    for (uint64_t i = 1; i < array->array().sizeBytes; i++)
      all = context.concat(context.read(array, i), all);
    return all;
  }
  ExprPtr byte(ExprPtr array, uint64_t at) { return context.read(array, at); }
  ExprContext context;
  ExprPtr text = context.symbol("text", 16), n = context.symbol("n", 8), m = context.symbol("m", 8),
          rounds = context.symbol("rounds_0", 1);
};

TEST_F(Readable, SymbolsAreWords) {
  EXPECT_EQ(toReadable(context.ult(word(m), word(n))), "m < n");
  EXPECT_EQ(toReadable(context.concat(byte(n, 3), byte(n, 2))), "n[2..3]");
  EXPECT_EQ(toReadable(byte(text, 3)), "text[3]");
}

TEST_F(Readable, CharactersAndOpposites) {
  ExprPtr it = byte(text, 3);
  EXPECT_EQ(toReadable(context.eq(it, context.constant('a', 8))), "text[3] == 'a'");
  EXPECT_EQ(toReadable(context.bvNot(context.eq(it, context.constant(0, 8)))), "text[3] != 0");
  EXPECT_EQ(toReadable(context.slt(it, byte(text, 4))), "text[3] <s text[4]");
}

TEST_F(Readable, IndicesAndCounters) {
  ExprPtr k = context.zext(byte(rounds, 0), 64);
  ExprPtr before = context.read(text, context.sub(k, context.constant(1, 64)));
  EXPECT_EQ(toReadable(context.eq(before, context.constant(' ', 8)), {.names = {{rounds, "k"}}}),
            "text[k - 1] == ' '");
  ExprPtr i = context.bound(9);
  ExprPtr at = context.read(text, context.add(i, k));
  EXPECT_EQ(toReadable(context.eq(at, context.constant('x', 8)), {.names = {{rounds, "k"}}}),
            "text[i + k] == 'x'");
}

TEST_F(Readable, ParenthesesWhereTheyAreNeeded) {
  ExprPtr a = byte(text, 0), b = byte(text, 1), c = byte(text, 2);
  EXPECT_EQ(toReadable(context.mul(context.add(a, b), c)), "(text[0] + text[1]) * text[2]");
  EXPECT_EQ(toReadable(context.sub(a, context.sub(b, c))), "text[0] - (text[1] - text[2])");
  ExprPtr x = context.ult(a, b), y = context.ult(b, c);
  EXPECT_EQ(toReadable(context.bvNot(context.bvAnd(x, y))),
            "not (text[1] < text[2] and text[0] < text[1])");
  EXPECT_EQ(toReadable(context.bvAnd(context.bvOr(a, b), c)), "(text[0] | text[1]) & text[2]");
  EXPECT_EQ(toReadable(context.add(context.zext(context.extract(a, 0, 4), 8), b)),
            "text[1] + (bits 0 to 3 of text[0])");
}

TEST_F(Readable, LongTextIsCut) {
  ExprPtr sum = byte(text, 0);
  for (int i = 0; i < 60; i++) sum = context.add(context.mul(sum, sum), byte(text, 1));
  const std::string shown = toReadable(sum, {.names = {}, .mostBytes = 100});
  EXPECT_EQ(shown.size(), 103u);
  EXPECT_EQ(shown.substr(100), "...");
}

TEST_F(Readable, DeepTermsAreCut) {
  ExprPtr sum = byte(text, 0);
  for (int i = 0; i < 100'000; i++) sum = context.mul(context.add(sum, byte(text, i % 16)), sum);
  EXPECT_NE(toReadable(sum).find("..."), std::string::npos);
}

} // namespace
} // namespace fathom::expr
