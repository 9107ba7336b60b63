// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Place.h"
#include "repair/Tokens.h"

#include <gtest/gtest.h>

namespace fathom::repair {
namespace {

/// "kind|original|assigned" of every hole of the line, and what a candidate makes of the source.
std::vector<std::string> holes(const std::string &source, uint32_t line) {
  std::vector<std::string> out;
  for (const Hole &hole : holesAt(source, line)) {
    EXPECT_LE(hole.end, source.size());
    EXPECT_EQ(hole.original, source.substr(hole.begin, hole.end - hole.begin));
    out.push_back(std::string(textOf(hole.kind)) + "|" + hole.original + "|" + hole.assigned +
                  (hole.isDeclared ? "!" : "") + (hole.isUpdate ? "+" : "") +
                  (hole.needsBraces ? "{}" : ""));
  }
  return out;
}
using Strings = std::vector<std::string>;

TEST(Place, FindsConditionsValuesAndGuards) {
  const std::string source = "int f(int n) {\n"
                             "  if (n <= 3 && g(n)) n = n + 1;\n"
                             "  while (n)\n"
                             "    n -= 2;\n"
                             "  for (int i = 0; i < n; i++) sum(i);\n"
                             "  int k = n, m;\n"
                             "  return (int)n * k;\n"
                             "}\n";
  EXPECT_EQ(holes(source, 2),
            (Strings{"condition|n <= 3 && g(n)|", "value|n + 1|n", "guard|n = n + 1;|{}"}));
  EXPECT_EQ(holes(source, 3), Strings{"condition|n|"});
  EXPECT_EQ(holes(source, 4), (Strings{"value|2|n+", "guard|n -= 2;|{}"}));
  EXPECT_EQ(holes(source, 5), (Strings{"condition|i < n|", "guard|sum(i);|{}"}));
  EXPECT_EQ(holes(source, 6), Strings{"value|n|k!"});
  EXPECT_EQ(holes(source, 7), (Strings{"value|(int)n * k|", "guard|return (int)n * k;|"}));
  EXPECT_EQ(holes(source, 1), Strings{});
  EXPECT_EQ(holes(source, 8), Strings{});
  EXPECT_EQ(holes(source, 99), Strings{});
}

TEST(Place, IsNotMisledByCommentsLiteralsLabelsAndMacros) {
  const std::string source = "#define X if (a) \\\n"
                             "  if (b) c = 1;\n"
                             "/* if (x)\n"
                             " y = 2; */ void f(void) {\n"
                             "  puts(\"if (x) y = ';';\"); // if (z) w = 1;\n"
                             "  p->v[i] = a ? b : c;\n"
                             "again: t = '\\''; \n"
                             "  switch (t) { case 1: u = 3; default: break; }\n"
                             "  int v[] = {1, 2};\n"
                             "  unsigned char *q = &v[0];\n"
                             "}\n";
  EXPECT_EQ(holes(source, 2), Strings{});
  EXPECT_EQ(holes(source, 4), Strings{});
  EXPECT_EQ(holes(source, 5), Strings{"guard|puts(\"if (x) y = ';';\");|"});
  EXPECT_EQ(holes(source, 6), (Strings{"value|a ? b : c|p->v[i]", "guard|p->v[i] = a ? b : c;|"}));
  EXPECT_EQ(holes(source, 7), (Strings{"value|'\\''|t", "guard|t = '\\'';|"}));
  EXPECT_EQ(holes(source, 8), (Strings{"value|3|u", "guard|u = 3;|", "guard|break;|"}));
  EXPECT_EQ(holes(source, 9), Strings{});
  EXPECT_EQ(holes(source, 10), Strings{"value|&v[0]|q!"});
}

TEST(Place, FillsInACandidate) {
  const std::string source = "void f() {\n  if (a) x = 1; else y = 2;\n  z = 3;\n}\n";
  std::vector<Hole> at = holesAt(source, 2);
  ASSERT_EQ(at.size(), 5u);
  EXPECT_EQ(fill(source, at[0], "b < 2"),
            "void f() {\n  if (b < 2) x = 1; else y = 2;\n  z = 3;\n}\n");
  EXPECT_EQ(fill(source, at[1], "7"), "void f() {\n  if (a) x = 7; else y = 2;\n  z = 3;\n}\n");
  // Without braces the else would belong to the guard.
  EXPECT_EQ(fill(source, at[2], "b"),
            "void f() {\n  if (a) { if (b) x = 1; } else y = 2;\n  z = 3;\n}\n");
  at = holesAt(source, 3);
  ASSERT_EQ(at.size(), 2u);
  EXPECT_EQ(fill(source, at[1], "b"),
            "void f() {\n  if (a) x = 1; else y = 2;\n  if (b) z = 3;\n}\n");
}

TEST(Place, FindsPlacesThatAnExpressionReads) {
  EXPECT_EQ(lvaluesOf("b[i] + p->n.m * b[i] - f(q.r) - x"), (Strings{"b[i]", "p->n.m", "q.r"}));
  EXPECT_EQ(lvaluesOf("t[u[k]][0]"), (Strings{"t[u[k]][0]", "u[k]"}));
  EXPECT_EQ(lvaluesOf("b[i++] + b[f(i)] + s.call(1) + c.d++"), Strings{});
}

TEST(Place, FindsPlacesThatPointersLeadTo) {
  EXPECT_EQ(lvaluesOf("*csrc == 44"), Strings{"*csrc"});
  EXPECT_EQ(lvaluesOf("a * *p + **q - b[i] * *p"), (Strings{"*p", "**q", "b[i]"}));
  EXPECT_EQ(lvaluesOf("(*p).n + (*p).m[i]"), (Strings{"(*p).n", "(*p).m[i]"}));
  EXPECT_EQ(lvaluesOf("*(p + 1) < *p->next"), (Strings{"*(p + 1)", "*p->next"}));
  EXPECT_EQ(lvaluesOf("(int)*p + (unsigned char)*q + (uint8_t)*r"), (Strings{"*p", "*q", "*r"}));
  EXPECT_EQ(lvaluesOf("*((char *)p + i) == 1"), Strings{"*((char *)p + i)"});
  // A product, a change, an address, a size, a call.
  EXPECT_EQ(lvaluesOf("a * b + (a) * b + t[0] * b"), Strings{"t[0]"});
  EXPECT_EQ(lvaluesOf("*p++ + *++p + ++*p + &b[i] + sizeof *p + (*f)(1)"), Strings{});
}

TEST(Place, KnowsWhatIsEvaluatedOnceAndAlways) {
  for (const char *pure : {"a + b", "(a) + (b)", "sizeof(x) + 1", "p->n[i]", "a == b"})
    EXPECT_TRUE(isPure(pure)) << pure;
  for (const char *impure : {"f(x)", "a = b", "a += 1", "i++", "(*g)(1)", "t[0](1)", "a, b"})
    EXPECT_FALSE(isPure(impure)) << impure;
  EXPECT_TRUE(hasNoShortCircuit("a & b | c"));
  for (const char *bent : {"a && b", "a || b", "a ? b : c"})
    EXPECT_FALSE(hasNoShortCircuit(bent)) << bent;
}

TEST(Place, TellsTruthsFromNumbers) {
  for (const char *truth : {"a < b", "(a == b)", "((a != b))", "!a", "!t[i]", "a && b + 1",
                            "a + 1 <= b", "(int)(a < b)", "(a < b) | (c < d)", "p->n >= -1"})
    EXPECT_TRUE(isBooleanValued(truth)) << truth;
  for (const char *number :
       {"a", "a - b", "p->n", "a < b ? c : d", "(a < b ? c : d)", "x + (a < b)", "!a + b",
        "f(a < b)", "t[a < b]", "t[f(!a)] * 2", "a << 2", "", "("})
    EXPECT_FALSE(isBooleanValued(number)) << number;
}

TEST(Place, FindsNumbersNearby) {
  EXPECT_EQ(numbersNear("x = 5;\ny = 0x10 + 10u - 1.5;\nz = 010;\nw = 99;\n", 2, 3),
            (std::vector<int64_t>{8, 10, 16}));
}

TEST(Place, CharactersAreNumbers) {
  EXPECT_EQ(numbersNear("if (*s == ',' || *s == '\"') n = 7;\nt = '\\n';\n", 1, 1),
            (std::vector<int64_t>{7, 34, 44}));
  EXPECT_EQ(numbersNear("s = \"'5' 'a'\"; c = L'\\'';", 1, 1), std::vector<int64_t>{39});
}

TEST(Tokens, KnowsEveryCharacterConstant) {
  const std::pair<const char *, int64_t> constants[] = {
      {"'a'", 'a'},        {"'\"'", '"'},       {"'\\''", '\''},       {"'\\\\'", '\\'},
      {"'\\\"'", '\"'},    {"'\\?'", '\?'},     {"'\\a'", '\a'},       {"'\\b'", '\b'},
      {"'\\f'", '\f'},     {"'\\n'", '\n'},     {"'\\r'", '\r'},       {"'\\t'", '\t'},
      {"'\\v'", '\v'},     {"'\\0'", 0},        {"'\\101'", 'A'},      {"'\\x41'", 'A'},
      {"'\\xff'", '\xff'}, {"'\\377'", '\377'}, {"L'\\xff'", L'\xff'}, {"'ab'", 0x6162},
      {"' '", ' '},        {"u8'a'", 'a'}};
  for (const auto &[text, value] : constants) {
    EXPECT_EQ(characterOf(text), value) << text;
    EXPECT_EQ(tokenTexts(text), Strings{text});
  }
  for (const char *none : {"''", "'\\q'", "'\\'", "\"a\"", "'abcde'", "'a", "a"})
    EXPECT_EQ(characterOf(none), std::nullopt) << none;
}

TEST(Tokens, EndOfACommentIsNotItsBegin) {
  EXPECT_EQ(tokenTexts("a /*/ b */ + c"), (Strings{"a", "+", "c"}));
  EXPECT_EQ(tokenTexts("a /**/ b /*"), (Strings{"a", "b"}));
}

TEST(Tokens, CountsEditsOfExpressions) {
  EXPECT_EQ(tokenDistance("i <= n", "i < n"), 1u);
  EXPECT_EQ(tokenDistance("i<=n", "i <= n"), 0u);
  EXPECT_EQ(tokenDistance("", "a + b"), 3u);
  EXPECT_EQ(tokenDistance("a + b", "b + a"), 2u);
  EXPECT_EQ(tokenDistance("kitten", "sitting"), 1u);
}

} // namespace
} // namespace fathom::repair
