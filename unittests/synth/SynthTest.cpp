// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knobs and output as a whole: determinism, sizes, errors.
#include "synth/Synth.h"
#include "synth/OpaquePredicate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fathom::synth {
namespace {

std::string everything(const Knobs &knobs) {
  llvm::Expected<Synthesis> made = synthesise(knobs);
  EXPECT_TRUE(!!made);
  std::string all;
  for (const OutputFile &file : outputFiles(*made)) all += file.name + "\n" + file.text + "\n";
  return all;
}

std::string errorOf(const Knobs &knobs) {
  llvm::Expected<Synthesis> made = synthesise(knobs);
  return made ? "" : llvm::toString(made.takeError());
}

TEST(Synth, SameKnobsSameBytes) {
  Knobs knobs;
  knobs.witnesses = true;
  std::string first = everything(knobs);
  EXPECT_EQ(first, everything(knobs));
  knobs.seed = 2;
  EXPECT_NE(first, everything(knobs));
}

TEST(Synth, LinesAreMet) {
  for (uint64_t lines : {200, 1000, 5000, 30000})
    for (uint64_t seed : {1, 2, 3}) {
      Knobs knobs;
      knobs.lines = lines, knobs.seed = seed;
      llvm::Expected<Synthesis> made = synthesise(knobs);
      ASSERT_TRUE(!!made);
      // A nonterminal is the unit: the shortest programs cannot be met as closely.
      double tolerance = lines < 1000 ? 0.2 : 0.07;
      EXPECT_NEAR(static_cast<double>(made->program.lines), static_cast<double>(lines),
                  tolerance * static_cast<double>(lines));
    }
}

TEST(Synth, LinesAndNonterminalsTogether) {
  Knobs knobs;
  knobs.nonterminals = 60, knobs.lines = 12000;
  llvm::Expected<Synthesis> made = synthesise(knobs);
  ASSERT_TRUE(!!made);
  EXPECT_EQ(made->grammar.nonterminals.size(), 60u);
  EXPECT_NEAR(static_cast<double>(made->program.lines), 12000, 600);
  knobs.lines = 500;
  EXPECT_NE(errorOf(knobs).find("--lines 500: 60 nonterminals"), std::string::npos);
}

TEST(Synth, NumberOfStatementsLeavesTheGrammarAlone) {
  Knobs knobs;
  knobs.nonterminals = 30;
  auto rules = [&](uint64_t statements) {
    knobs.statements = statements;
    std::string json = grammarJson(*synthesise(knobs));
    return json.substr(json.find("\"rules\": {"));
  };
  EXPECT_EQ(rules(0), rules(50));
}

TEST(Synth, FilesAreSplit) {
  Knobs knobs;
  knobs.nonterminals = 60, knobs.fileLines = 500;
  llvm::Expected<Synthesis> made = synthesise(knobs);
  ASSERT_TRUE(!!made);
  ASSERT_GT(made->program.files.size(), 4u);
  EXPECT_EQ(made->program.files[1].name, "part001.c");
  EXPECT_EQ(made->program.files.back().name, "program.h");
  for (const SourceFile &file : made->program.files)
    EXPECT_EQ(static_cast<size_t>(std::count(file.text.begin(), file.text.end(), '\n')),
              file.lines);
}

TEST(Synth, KnobsOutOfRange) {
  auto with = [](auto &&change) {
    Knobs knobs;
    change(knobs);
    return errorOf(knobs);
  };
  EXPECT_EQ(with([](Knobs &k) { k.rules = 0; }), "--rules 0: expected 1 to 24");
  EXPECT_EQ(with([](Knobs &k) { k.linear = 1.5; }), "--linear-recursion 1.5: expected 0 to 1");
  EXPECT_EQ(with([](Knobs &k) { k.linear = std::numeric_limits<double>::quiet_NaN(); }),
            "--linear-recursion nan: expected 0 to 1");
  EXPECT_EQ(with([](Knobs &k) { k.tokens = 7; }), "--tokens 7: expected 8 to 56");
  EXPECT_EQ(with([](Knobs &k) { k.lines = 20; }), "--lines 20: expected at least 100");
}

/// The arithmetic behind the guards, on many numbers and on those at the edges of 32 bits.
TEST(OpaquePredicate, ArithmeticHoldsForAllResidues) {
  for (uint64_t low = 0; low < 4096; ++low)
    for (uint32_t high : {0u, 0x10000u, 0x7ffff000u, 0x80000000u, 0xfffff000u}) {
      uint32_t sum = high + static_cast<uint32_t>(low);
      for (uint32_t constant = 0; constant < 56; ++constant)
        for (uint32_t kind : {1u, 2u, 5u}) {
          // random % 6 == kind, random >> 8 == something that runs through all constants
          uint32_t random = constant << 8;
          random += (6 + kind - random % 6) % 6;
          OpaquePredicate never = opaquePredicate(random, 16);
          auto right = static_cast<uint32_t>(std::stoul(never.right));
          ASSERT_STREQ(never.fails, "==");
          uint32_t left = kind == 1   ? sum * sum % 32u
                          : kind == 2 ? sum * (sum + 1u) % 2u
                                      : (sum | 1u) * (sum | 1u) % 8u;
          ASSERT_NE(left, right) << never.left << " == " << never.right << " for " << sum;
          if (low == 0 && high == 0) {
            const char *expected = kind == 1   ? "p->sum * p->sum % 32u"
                                   : kind == 2 ? "p->sum * (p->sum + 1u) % 2u"
                                               : "(p->sum | 1u) * (p->sum | 1u) % 8u";
            ASSERT_EQ(never.left, expected);
          }
        }
    }
}

} // namespace
} // namespace fathom::synth
