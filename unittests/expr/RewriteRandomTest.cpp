// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rules at once: random terms, raw against simplified, by evaluation (many) and by proof
// (some).
#include "Prover.h"
#include "RandomTerms.h"

#include "expr/Facts.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

std::vector<uint64_t> wideValueOf(Evaluator &evaluator, ExprPtr e) {
  std::vector<uint64_t> words(8, 0);
  evaluator.evalWide(e, words);
  return words;
}

struct Pair {
  ExprContext raw{{.simplify = false}}, simple;
  explicit Pair() { simple.symbol("in", 8); }
};

class RandomRewrites : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomRewrites, AgreeOnRandomInputs) {
  for (unsigned round = 0; round < 60; ++round) {
    Rng rng(GetParam() * 1000 + round);
    Pair pair;
    RandomTerms terms(pair.raw, rng, /*wide=*/round % 3 == 0);
    Copier copy(pair.simple);
    Evaluator evaluator;
    std::vector<Model> models;
    for (int i = 0; i < 12; ++i) models.push_back(randomModel(terms.input, rng));
    for (unsigned n = 0; n < 150; ++n) {
      ExprPtr raw = terms.grow(terms.someWidth()), simple = copy(raw);
      ASSERT_EQ(raw->width(), simple->width());
      Facts facts = factsOf(simple, 6);
      for (const Model &m : models) {
        evaluator.setModel(m, n);
        auto want = wideValueOf(evaluator, raw), got = wideValueOf(evaluator, simple);
        if (want != got)
          FAIL() << "seed " << GetParam() << " round " << round << "\nraw    " << toString(raw)
                 << "\nsimple " << toString(simple);
        if (raw->width() <= 64)
          ASSERT_TRUE(facts.admits(got[0]))
              << toString(simple) << " = " << got[0] << " facts " << facts.min << ".." << facts.max;
      }
    }
  }
}

TEST_P(RandomRewrites, AreProved) {
  Prover prover;
  unsigned unknown = 0, proved = 0;
  for (unsigned round = 0; round < 12; ++round) {
    Rng rng(GetParam() * 77 + round);
    Pair pair;
    RandomTerms terms(pair.raw, rng);
    Copier copy(pair.simple);
    for (unsigned n = 0; n < 40; ++n) {
      ExprPtr raw = terms.grow(kWidths[rng.below(5)]), simple = copy(raw);
      if (raw->height() > 12) continue;
      switch (prover.equal(pair.raw, raw, pair.simple, simple, 300)) {
      case Prover::Verdict::Equal: ++proved; break;
      case Prover::Verdict::Unknown: ++unknown; break;
      case Prover::Verdict::Different:
        FAIL() << "raw    " << toString(raw) << "\nsimple " << toString(simple);
      }
    }
  }
  EXPECT_GT(proved, 20 * (unknown + 1)) << unknown << " not decided in time";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRewrites, testing::Values(1, 2, 3, 4));

} // namespace
