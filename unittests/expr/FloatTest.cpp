// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point held against three others that do not know each other: LLVM's software arithmetic
// (APFloat), Z3's theory, and terms that were not simplified. NaNs are compared bit for bit with
// what FloatFold.h says.
#include "Prover.h"
#include "RandomFloats.h"
#include "RandomTerms.h"

#include "expr/BatchEvaluator.h"
#include "expr/FloatBuilders.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;
using llvm::APFloat;
using llvm::APInt;

namespace {

const llvm::fltSemantics &semanticsOf(unsigned width) {
  return width == 64   ? APFloat::IEEEdouble()
         : width == 32 ? APFloat::IEEEsingle()
                       : APFloat::IEEEhalf();
}
APFloat number(uint64_t bits, unsigned width) {
  return APFloat(semanticsOf(width), APInt(width, bits));
}
uint64_t patternOf(const APFloat &f) { return f.bitcastToAPInt().getZExtValue(); }

constexpr auto kNearest = APFloat::rmNearestTiesToEven;

uint64_t arithmetic(Kind kind, uint64_t a, uint64_t b, unsigned width) {
  APFloat x = number(a, width), y = number(b, width);
  switch (kind) {
  case Kind::FAdd: x.add(y, kNearest); break;
  case Kind::FSub: x.subtract(y, kNearest); break;
  case Kind::FMul: x.multiply(y, kNearest); break;
  default: x.divide(y, kNearest); break;
  }
  if (!x.isNaN()) return patternOf(x);
  return resultNaN(floatFormat(width), a, b);
}

class Floats : public testing::TestWithParam<unsigned> {
protected:
  unsigned width = GetParam();
  FloatFormat f = floatFormat(width);
  Rng rng{width};
  ExprContext c;
  ExprPtr constant(uint64_t bits) { return c.constant(bits, width); }
  uint64_t some() { return somePattern(width, rng); }
};

TEST_P(Floats, ArithmeticIsThatOfSoftware) {
  for (unsigned n = 0; n < 30000; ++n) {
    const uint64_t a = some(), b = some();
    for (Kind kind : {Kind::FAdd, Kind::FSub, Kind::FMul, Kind::FDiv})
      ASSERT_EQ(c.binary(kind, constant(a), constant(b))->value(), arithmetic(kind, a, b, width))
          << "kind " << int(kind) << std::hex << " of " << a << ", " << b;
    const auto order = number(a, width).compare(number(b, width));
    ASSERT_EQ(feq(c, constant(a), constant(b))->isTrue(), order == APFloat::cmpEqual);
    ASSERT_EQ(flt(c, constant(a), constant(b))->isTrue(), order == APFloat::cmpLessThan);
    ASSERT_EQ(fle(c, constant(a), constant(b))->isTrue(),
              order == APFloat::cmpLessThan || order == APFloat::cmpEqual);
    ASSERT_EQ(fisNaN(c, constant(a))->isTrue(), number(a, width).isNaN());
  }
}

TEST_P(Floats, FusedMultiplicationRoundsOnce) {
  if (width == 16) GTEST_SKIP() << "halves are rounded twice, as compilers do it";
  for (unsigned n = 0; n < 30000; ++n) {
    const uint64_t a = some(), b = some(), z = some();
    APFloat x = number(a, width);
    x.fusedMultiplyAdd(number(b, width), number(z, width), kNearest);
    const uint64_t nan = f.isNaN(z) ? z | f.quietBit() : resultNaN(f, a, b);
    ASSERT_EQ(ffma(c, constant(a), constant(b), constant(z))->value(),
              x.isNaN() ? nan : patternOf(x))
        << std::hex << a << " * " << b << " + " << z;
  }
}

TEST_P(Floats, RoundsToIntegers) {
  static constexpr APFloat::roundingMode kModes[] = {
      APFloat::rmTowardNegative, APFloat::rmTowardPositive, APFloat::rmTowardZero,
      APFloat::rmNearestTiesToEven, APFloat::rmNearestTiesToAway};
  for (unsigned n = 0; n < 30000; ++n) {
    const uint64_t a = some();
    for (unsigned mode = 0; mode < 5; ++mode) {
      APFloat x = number(a, width);
      if (!x.isNaN()) x.roundToIntegral(kModes[mode]);
      ASSERT_EQ(fround(c, static_cast<Rounding>(mode), constant(a))->value(),
                x.isNaN() ? a : patternOf(x))
          << "mode " << mode << std::hex << " of " << a;
    }
  }
}

TEST_P(Floats, SquareRootIsTheNearest) {
  // Software has none: r is the root when no number is nearer, by exact squares in more precision.
  const auto &exact = llvm::APFloat::IEEEquad();
  auto widened = [&](uint64_t bits) {
    APFloat x = number(bits, width);
    bool lost;
    x.convert(exact, kNearest, &lost);
    return x;
  };
  for (unsigned n = 0; n < 20000; ++n) {
    const uint64_t a = some(), r = fsqrt(c, constant(a))->value();
    if (f.isNaN(a)) {
      ASSERT_EQ(r, a | f.quietBit());
    } else if ((a & f.magnitude()) == 0 || a == f.infinity()) {
      ASSERT_EQ(r, a);
    } else if (a & f.signBit()) {
      ASSERT_EQ(r, f.defaultNaN());
    } else if (width < 64) { // the square of a midpoint is exact in 113 bits
      APFloat x = widened(a), half(exact, "0.5");
      for (int side : {-1, 1}) {
        APFloat middle = widened(r);
        middle.add(widened(r + static_cast<uint64_t>(side)), kNearest);
        middle.multiply(half, kNearest);
        middle.multiply(middle, kNearest);
        ASSERT_NE(middle.compare(x), side < 0 ? APFloat::cmpGreaterThan : APFloat::cmpLessThan)
            << std::hex << a << " has the root " << r;
      }
    } else {
      ASSERT_EQ(r, bitsOf(std::sqrt(floatOf<double>(a))));
    }
  }
}

TEST_P(Floats, ConvertsAmongEachOther) {
  for (unsigned to : kFloatWidths) {
    const FloatFormat t = floatFormat(to);
    for (unsigned n = 0; n < 30000; ++n) {
      const uint64_t a = some();
      APFloat x = number(a, width);
      const bool isNaN = x.isNaN();
      bool lost;
      x.convert(semanticsOf(to), kNearest, &lost);
      uint64_t want = patternOf(x);
      if (isNaN && to != width) want |= t.quietBit(); // APFloat does so too, but for one case
      ASSERT_EQ(fconvert(c, constant(a), to)->value(), want) << std::hex << a << " to " << to;
    }
  }
}

TEST_P(Floats, ConvertsIntegers) {
  for (unsigned n = 0; n < 30000; ++n) {
    const unsigned bits = n % 64 + 1;
    const uint64_t v = (uint64_t(rng.next()) << 32 | rng.next()) >> rng.below(64) & lowMask(bits);
    for (bool isSigned : {false, true}) {
      APFloat x(semanticsOf(width));
      x.convertFromAPInt(APInt(bits, v), isSigned, kNearest);
      ExprPtr k = c.constant(v, bits);
      ASSERT_EQ((isSigned ? stof(c, k, width) : utof(c, k, width))->value(), patternOf(x))
          << v << " of " << bits << " bits";
      const uint64_t a = some();
      llvm::APSInt integer(bits, !isSigned);
      bool exact;
      const auto status = number(a, width).convertToInteger(integer, APFloat::rmTowardZero, &exact);
      const uint64_t want =
          status == APFloat::opInvalidOp ? uint64_t(1) << (bits - 1) : integer.getZExtValue();
      ASSERT_EQ((isSigned ? ftos(c, constant(a), bits) : ftou(c, constant(a), bits))->value(), want)
          << std::hex << a << " to " << std::dec << bits << " bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Floats, testing::ValuesIn(kFloatWidths));

Model patternModel(ExprPtr input, Rng &rng) {
  Model m;
  const unsigned width = kFloatWidths[rng.below(3)];
  for (uint64_t at = 0; at < input->array().sizeBytes; at += width / 8) {
    const uint64_t bits = somePattern(width, rng);
    for (unsigned i = 0; i < width / 8; ++i)
      m.setByte(input, at + i, static_cast<uint8_t>(bits >> 8 * i));
  }
  return m;
}

class RandomFloatTerms : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomFloatTerms, SimplifiedOnesHaveTheSameValue) {
  for (unsigned round = 0; round < 60; ++round) {
    Rng rng(GetParam() * 1000 + round);
    ExprContext raw{{.simplify = false}}, simple;
    RandomFloats terms(raw, rng);
    simple.symbol("in", 16);
    Copier copy(simple);
    Evaluator evaluator;
    std::vector<Model> models;
    for (unsigned i = 0; i < 20; ++i) models.push_back(patternModel(terms.input, rng));
    for (unsigned n = 0; n < 120; ++n) {
      ExprPtr before = terms.grow(rng.below(3) ? terms.floatWidth() : rng.flip() ? 1 : 8);
      ExprPtr after = copy(before);
      for (const Model &m : models) {
        evaluator.setModel(m, n);
        ASSERT_EQ(evaluator.eval(before), evaluator.eval(after))
            << "seed " << GetParam() << " round " << round << "\nraw    " << toString(before)
            << "\nsimple " << toString(after);
      }
    }
  }
}

TEST_P(RandomFloatTerms, BatchAgreesWithEvaluator) {
  BatchEvaluator batch;
  for (unsigned round = 0; round < 20; ++round) {
    Rng rng(GetParam() * 500 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomFloats terms(c, rng);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 60; ++n)
      roots.push_back(terms.grow(n % 4 ? terms.floatWidth() : n % 8 ? 1 : 8));
    std::vector<BatchEvaluator::Input> inputs;
    for (uint64_t i = 0; i < 16; ++i) inputs.push_back({terms.input, i});
    ASSERT_TRUE(batch.compile(inputs, roots));
    std::vector<Model> models;
    for (unsigned l = 0; l < BatchEvaluator::kLanes; ++l) {
      models.push_back(patternModel(terms.input, rng));
      for (uint64_t i = 0; i < 16; ++i) batch.input<uint8_t>(i)[l] = models[l].byte(terms.input, i);
    }
    batch.run(BatchEvaluator::kLanes);
    Evaluator evaluator;
    for (unsigned l = 0; l < BatchEvaluator::kLanes; ++l) {
      evaluator.setModel(models[l], l);
      for (size_t r = 0; r < roots.size(); ++r) {
        uint64_t got = 0;
        withLaneType(batch.rootLanes(r), [&](auto type) {
          got = static_cast<uint64_t>(batch.root<decltype(type)>(r)[l]);
        });
        ASSERT_EQ(got, evaluator.eval(roots[r])) << toString(roots[r]);
      }
    }
  }
}

/// Z3 is told the input, so that its own evaluation of its theory is compared with ours.
TEST_P(RandomFloatTerms, Z3HasTheSameValue) {
  Prover prover;
  unsigned unknown = 0, proved = 0;
  for (unsigned round = 0; round < 12; ++round) {
    Rng rng(GetParam() * 7 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomFloats terms(c, rng);
    Evaluator evaluator;
    for (unsigned n = 0; n < 40; ++n) {
      ExprPtr e = terms.grow(rng.below(3) ? terms.floatWidth() : rng.flip() ? 1 : 8);
      const Model m = patternModel(terms.input, rng);
      evaluator.setModel(m, n);
      std::vector<std::pair<ExprPtr, ExprPtr>> values;
      for (uint64_t i = 0; i < 16; ++i)
        values.push_back({c.read(terms.input, i), c.constant(m.byte(terms.input, i), 8)});
      switch (prover.equalUnder(c, e, c.constant(evaluator.eval(e), e->width()), values)) {
      case Prover::Verdict::Equal: ++proved; break;
      case Prover::Verdict::Unknown: ++unknown; break;
      case Prover::Verdict::Different: FAIL() << toString(e) << " is " << evaluator.eval(e);
      }
    }
  }
  EXPECT_GT(proved, 20 * (unknown + 1)) << unknown << " not decided in time";
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomFloatTerms, testing::Values(1, 2, 3, 4));

} // namespace
