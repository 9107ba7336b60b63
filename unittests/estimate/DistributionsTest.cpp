// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Distributions.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace fathom;
using namespace fathom::estimate;

TEST(Distributions, Normal) {
  EXPECT_NEAR(normalCriticalValue(0.90), 1.644853626951472, 1e-14);
  EXPECT_NEAR(normalCriticalValue(0.95), 1.959963984540054, 1e-14);
  EXPECT_EQ(normalQuantile(0.5), 0);
  for (double p : {1e-300, 1e-100, 1e-20, 1e-6, 0.01, 0.024, 0.025, 0.3, 0.7, 0.999})
    EXPECT_NEAR(normalCdf(normalQuantile(p)) / p, 1, 1e-11) << p;
  EXPECT_TRUE(std::isinf(normalQuantile(0)));
  EXPECT_TRUE(std::isinf(normalQuantile(1)));
}

// Closed forms: I_x(1, b) = 1 - (1-x)^b, I_x(a, 1) = x^a, and the symmetry.
TEST(Distributions, Beta) {
  for (double x : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    for (double a : {0.5, 1.0, 3.0, 40.0}) {
      EXPECT_NEAR(betaCdf(x, a, 1) / std::pow(x, a), 1, 1e-10) << x << " " << a;
      EXPECT_NEAR(betaCdf(x, 1, a), -std::expm1(a * std::log1p(-x)), 1e-12);
      EXPECT_NEAR(betaCdf(x, a, 2.5), 1 - betaCdf(1 - x, 2.5, a), 1e-12);
    }
    EXPECT_NEAR(betaQuantile(betaCdf(x, 2, 3), 2, 3), x, 1e-12);
  }
}

// Student's t with one and two degrees of freedom has closed forms.
TEST(Distributions, Student) {
  for (double t : {0.1, 1.0, 5.0, 100.0}) {
    EXPECT_NEAR(studentTwoSided(t, 1), 1 - 2 * std::atan(t) / M_PI, 1e-13);
    EXPECT_NEAR(studentTwoSided(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-12);
  }
  EXPECT_NEAR(studentCriticalValue(0.95, 1), 12.706204736432095, 1e-9);
  EXPECT_NEAR(studentCriticalValue(0.95, 1e9), normalCriticalValue(0.95), 1e-6);
  EXPECT_EQ(studentTwoSided(INFINITY, 3), 0);
}

// Mean and variance of 20,000 draws within five standard errors, for both methods of drawing.
TEST(Distributions, Binomial) {
  Rng rng(7);
  struct Case {
    uint64_t n;
    double p;
  };
  for (Case c : {Case{10, 0.3},
                 {10, 0.9},
                 {1000, 0.01},
                 {1000, 0.4},
                 {10000000, 0.2},
                 {50, 0.6},
                 {100000000000, 0.5}}) {
    constexpr int kDraws = 20000;
    double sum = 0, squares = 0, mean = double(c.n) * c.p, variance = mean * (1 - c.p);
    for (int i = 0; i < kDraws; ++i) {
      uint64_t drawn = binomial(c.n, c.p, rng);
      ASSERT_LE(drawn, c.n);
      double d = double(drawn) - mean;
      sum += d;
      squares += d * d;
    }
    EXPECT_LT(std::fabs(sum / kDraws), 5 * std::sqrt(variance / kDraws)) << c.n << " " << c.p;
    EXPECT_LT(std::fabs(squares / kDraws / variance - 1), 5 * std::sqrt(3.0 / kDraws));
  }
  EXPECT_EQ(binomial(5, 0, rng), 0u);
  EXPECT_EQ(binomial(5, 1, rng), 5u);
  EXPECT_EQ(binomial(0, 0.5, rng), 0u);
}
