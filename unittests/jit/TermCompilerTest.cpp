// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled terms agree with the Evaluator, on random terms in all their kinds and widths and on the
// cases at the edges of each operation.
#include "jit/TermCompiler.h"

#include "RandomFloats.h"
#include "RandomTerms.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;
using fathom::jit::NativeTerms;
using fathom::jit::TermCompiler;

namespace {

/// Roots are words: a wider term is looked at piece by piece.
void addRoots(ExprContext &c, ExprPtr e, std::vector<ExprPtr> &roots) {
  if (e->width() <= 64) return roots.push_back(e);
  for (unsigned low = 0; low < e->width(); low += 64)
    roots.push_back(c.extract(e, low, std::min(64u, e->width() - low)));
}

/// The code at another place than it was linked for; empty if it needs more than itself.
class Copied {
public:
  explicit Copied(const NativeTerms &code) : place_(code.place(0)) {
    if (!code.isSelfContained()) return;
    size_ = code.code().size();
    at_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(at_, code.code().data(), size_);
    mprotect(at_, size_, PROT_READ | PROT_EXEC);
  }
  ~Copied() {
    if (at_) munmap(at_, size_);
  }
  explicit operator bool() const { return at_; }
  void run(const uint8_t *row, uint64_t *values) const {
    reinterpret_cast<fathom::jit::TermFunction>(static_cast<uint8_t *>(at_) + place_)(row, values,
                                                                                      nullptr);
  }

private:
  uint64_t place_;
  void *at_ = nullptr;
  size_t size_ = 0;
};

void expectAgreement(const NativeTerms &code, const RowLayout &layout,
                     std::span<const ExprPtr> roots, std::span<const Model> models) {
  Evaluator evaluator;
  std::vector<uint8_t> row(layout.size() + 1);
  std::vector<uint64_t> values(roots.size()), again(roots.size());
  const Copied copied(code);
  for (size_t m = 0; m < models.size(); ++m) {
    layout.fill(models[m], row);
    code.run(0, row.data(), values.data());
    evaluator.setModel(models[m], m + 1);
    for (size_t r = 0; r < roots.size(); ++r)
      ASSERT_EQ(values[r], evaluator.eval(roots[r])) << toString(roots[r]);
    if (!copied) continue;
    copied.run(row.data(), again.data());
    ASSERT_EQ(again, values);
  }
}

class CompiledRandom : public testing::TestWithParam<uint64_t> {};

TEST_P(CompiledRandom, AgreesWithEvaluator) {
  TermCompiler compiler({.optimise = GetParam() % 2 == 0});
  for (unsigned round = 0; round < 8; ++round) {
    Rng rng(GetParam() * 1000 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomTerms terms(c, rng, /*wide=*/round % 4 == 3);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 200; ++n) {
      ExprPtr e = terms.grow(terms.someWidth());
      if (rng.below(10) == 0) addRoots(c, e, roots);
    }
    RowLayout layout(roots);
    const NativeTerms *code = compiler.compile({&roots, 1}, layout);
    ASSERT_TRUE(code) << compiler.error();
    std::vector<Model> models;
    for (unsigned m = 0; m < 100; ++m) models.push_back(randomModel(terms.input, rng));
    expectAgreement(*code, layout, roots, models);
  }
}

TEST_P(CompiledRandom, FloatsAgreeWithEvaluator) {
  TermCompiler compiler({.optimise = GetParam() % 2 == 0});
  for (unsigned round = 0; round < 8; ++round) {
    Rng rng(GetParam() * 99 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomFloats terms(c, rng);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 150; ++n) {
      static constexpr unsigned kWidths[] = {1, 8, 16, 32, 64};
      ExprPtr e = terms.grow(kWidths[rng.below(5)]);
      if (!e->isConst() && rng.below(4) == 0) roots.push_back(e);
    }
    RowLayout layout(roots);
    const NativeTerms *code = compiler.compile({&roots, 1}, layout);
    ASSERT_TRUE(code) << compiler.error();
    std::vector<Model> models;
    for (unsigned m = 0; m < 200; ++m) {
      Model model;
      for (uint64_t at : {uint64_t(0), uint64_t(8)}) {
        const uint64_t bits = somePattern(terms.floatWidth(), rng);
        for (unsigned i = 0; i < 8; ++i)
          model.setByte(terms.input, at + i, static_cast<uint8_t>(bits >> 8 * i));
      }
      models.push_back(model);
    }
    expectAgreement(*code, layout, roots, models);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, CompiledRandom, testing::Values(1, 2, 3, 4));

/// Every operation on operands at the edges of widths, both from the input and as a constant.
TEST(TermCompilerTest, EdgesOfEveryOperation) {
  using enum Kind;
  TermCompiler compiler;
  for (unsigned w : {1u, 7u, 8u, 31u, 32u, 33u, 64u, 65u, 128u, 200u}) {
    ExprContext c({.simplify = false});
    const unsigned bytes = (w + 7) / 8;
    ExprPtr in = c.symbol("in", uint64_t(2) * bytes);
    auto word = [&](uint64_t from) {
      ExprPtr e = c.read(in, from);
      for (uint64_t i = 1; i < bytes; ++i) e = c.concat(c.read(in, from + i), e);
      return c.extract(e, 0, w);
    };
    ExprPtr a = word(0), b = word(bytes);
    const llvm::APInt top = llvm::APInt::getSignedMinValue(w), ones = llvm::APInt::getAllOnes(w);
    auto number = [&](uint64_t v) { return llvm::APInt(64, v).zextOrTrunc(w); };
    const std::vector<llvm::APInt> edges = {number(0), number(1),     number(2), number(w - 1),
                                            number(w), number(w + 1), ones,      ones - 1,
                                            top,       top - 1,       number(10)};
    auto constant = [&](const llvm::APInt &v) {
      return c.constantWide({v.getRawData(), v.getNumWords()}, w);
    };
    std::vector<ExprPtr> roots;
    for (Kind k : {And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, Eq, Ult,
                   Ule, Slt, Sle}) {
      addRoots(c, c.binary(k, a, b), roots);
      if (w > 64) continue;
      for (const llvm::APInt &v : edges) {
        addRoots(c, c.binary(k, a, constant(v)), roots);
        addRoots(c, c.binary(k, constant(v), b), roots);
      }
    }
    RowLayout layout(roots);
    const NativeTerms *code = compiler.compile({&roots, 1}, layout);
    ASSERT_TRUE(code) << compiler.error();
    std::vector<Model> models;
    for (const llvm::APInt &x : edges)
      for (const llvm::APInt &y : edges) {
        Model m;
        const llvm::APInt xs = x.zext(8 * bytes + 8), ys = y.zext(8 * bytes + 8);
        for (unsigned i = 0; i < bytes; ++i) {
          m.setByte(in, i, static_cast<uint8_t>(xs.extractBitsAsZExtValue(8, 8 * i)));
          m.setByte(in, bytes + i, static_cast<uint8_t>(ys.extractBitsAsZExtValue(8, 8 * i)));
        }
        models.push_back(m);
      }
    expectAgreement(*code, layout, roots, models);
  }
}

TEST(TermCompilerTest, TooMuchIsRefused) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64), sum = c.zext(c.read(in, uint64_t(0)), 64);
  for (uint64_t i = 1; i < 64; ++i) sum = c.add(c.mul(sum, c.zext(c.read(in, i), 64)), sum);
  TermCompiler compiler({.maxTerms = 20});
  RowLayout layout(std::span(&sum, 1));
  const std::vector<ExprPtr> tooMuch{sum};
  EXPECT_FALSE(compiler.compile({&tooMuch, 1}, layout));
  EXPECT_NE(compiler.error().find("too many"), std::string::npos);
  // ... and the compiler can still be used.
  ExprPtr byte = c.read(in, uint64_t(3));
  RowLayout small(std::span(&byte, 1));
  const std::vector<ExprPtr> single{byte};
  const NativeTerms *code = compiler.compile({&single, 1}, small);
  ASSERT_TRUE(code);
  const uint8_t row[] = {42};
  uint64_t value = 0;
  code->run(0, row, &value);
  EXPECT_EQ(value, 42u);
}

} // namespace
