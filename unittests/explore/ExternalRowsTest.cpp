// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are evaluated in the process of the functions: the same as term by term in ours, also
// where a function takes its process with it, which is noted with its arguments. The functions are
// those of unittests/native/Inputs/functions.c.
#include "explore/external/ExternalServer.h"
#include "solver/JitFuzzSolver.h"
#include "solver/RowAssessor.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

using namespace fathom;
using namespace fathom::explore;
using expr::ExprPtr;
using native::ExternalType;

namespace {

constexpr uint64_t kText = 0x0a0000002000, kOther = 0x0a0000003ffc;

class Rows : public testing::Test {
protected:
  Rows() {
    options.nativeHelper = FATHOM_HELPER;
    options.libraries = {FATHOM_FUNCTIONS};
    options.externalTimeout = std::chrono::milliseconds(2000);
  }
  ExprPtr k(uint64_t v, unsigned width) { return c.constant(v, width); }
  /// The operation on these arguments (8 bytes each) and this memory, some of whose bytes are
  /// terms.
  ExprPtr apply(const ExternalSignature &f, std::vector<uint64_t> arguments,
                std::vector<uint64_t> addresses,
                const std::vector<std::pair<uint64_t, ExprPtr>> &terms) {
    std::vector<uint8_t> bytes(f.inputBytes());
    for (size_t i = 0; i < arguments.size(); ++i) memcpy(&bytes[8 * i], &arguments[i], 8);
    for (size_t b = 0; b < addresses.size(); ++b) memcpy(&bytes[f.addressAt(b)], &addresses[b], 8);
    ExprPtr array = c.constArray(bytes);
    for (auto [place, term] : terms) array = c.store(array, k(place, 64), term);
    return c.apply(server.operation(f), array);
  }
  ExprPtr value(ExprPtr apply) {
    ExprPtr e = c.read(apply, ExternalSignature::kValueAt);
    for (uint64_t i = 1; i < 8; ++i)
      e = c.concat(c.read(apply, ExternalSignature::kValueAt + i), e);
    return e;
  }
  ExprPtr returned(ExprPtr apply) {
    return c.eq(c.read(apply, ExternalSignature::kStatusAt), k(0, 8));
  }
  /// picky(text, 3, argument), where text is bytes 0 to 2 of the input.
  ExprPtr picky(ExprPtr argument) {
    ExternalSignature f;
    f.function = "picky";
    f.arguments = {ExternalType::Integer, ExternalType::Integer, ExternalType::Integer};
    f.result = ExternalType::Integer;
    f.blocks = {{3, true}};
    std::vector<std::pair<uint64_t, ExprPtr>> terms{{16, argument}};
    for (uint64_t i = 0; i < 3; ++i) terms.push_back({f.contentsAt(0) + i, c.read(in, i)});
    return apply(f, {kText, 3, 0}, {kText}, terms);
  }
  /// Of all rows in `bytes`, the distances, against the evaluator.
  void expectRight(const std::vector<ExprPtr> &constraints,
                   const std::vector<std::array<uint8_t, 4>> &inputs) {
    expr::RowLayout layout(constraints);
    jit::TermCompiler compiler;
    solver::RowAssessor assessor(c, layout, compiler);
    ASSERT_TRUE(assessor.compile(constraints)) << assessor.why();
    std::vector<uint8_t> rows(inputs.size() * layout.rowBytes());
    for (size_t i = 0; i < inputs.size(); ++i)
      for (uint64_t b = 0; b < 4; ++b)
        if (uint32_t at = layout.find(in, b); at != expr::RowLayout::kNone)
          rows[i * layout.rowBytes() + at] = inputs[i][b];
    std::vector<uint64_t> distances(inputs.size() * constraints.size());
    assessor.assess(rows.data(), inputs.size(), distances.data());
    expr::Evaluator evaluator;
    for (size_t i = 0; i < inputs.size(); ++i) {
      expr::Model model;
      for (uint64_t b = 0; b < 4; ++b) model.setByte(in, b, inputs[i][b]);
      evaluator.setModel(model, i + 1);
      for (size_t n = 0; n < constraints.size(); ++n)
        ASSERT_EQ(distances[i * constraints.size() + n] == 0, evaluator.isTrue(constraints[n]))
            << "row " << i << ": " << toString(constraints[n]);
    }
  }
  std::vector<std::array<uint8_t, 4>> someInputs(unsigned last) {
    std::vector<std::array<uint8_t, 4>> inputs;
    Rng rng(7);
    for (unsigned n = 0; n < 400; ++n)
      inputs.push_back({static_cast<uint8_t>(rng.below(4)), static_cast<uint8_t>(rng.below(4)),
                        static_cast<uint8_t>(rng.below(256)),
                        static_cast<uint8_t>(n < last ? n : rng.below(60))});
    return inputs;
  }

  ExploreOptions options;
  expr::ExprContext c;
  ExternalServer server{options};
  ExprPtr in = c.symbol("in", 4);
};

TEST_F(Rows, FunctionsOfFunctionsAreTheSameThere) {
  // What reverse leaves is what picky sums up; its argument is computed.
  ExternalSignature f;
  f.function = "reverse";
  f.arguments = {ExternalType::Integer, ExternalType::Integer};
  f.result = ExternalType::Integer;
  f.blocks = {{4, true}, {2, false}};
  std::vector<std::pair<uint64_t, ExprPtr>> terms;
  for (uint64_t i = 0; i < 4; ++i) terms.push_back({f.contentsAt(0) + i, c.read(in, i)});
  ExprPtr reversed = apply(f, {kOther, 4}, {kOther, kText + 100}, terms);
  ExprPtr last = c.read(reversed, f.resultsAt(0) + 1); // byte 2 of the input
  ExprPtr sum = picky(c.bvAnd(c.add(last, k(3, 8)), k(63, 8)));
  const std::vector<ExprPtr> constraints = {
      c.eq(value(reversed), k(4, 64)), returned(sum), c.ult(value(sum), k(40, 64)),
      c.eq(c.read(reversed, f.resultsAt(0)), c.read(in, uint64_t(1)))};
  expectRight(constraints, someInputs(0));
  EXPECT_GE(server.stats().executed, 800u) << "two for each row, in the child";
  EXPECT_TRUE(server.takeFaults().empty());
}

TEST_F(Rows, PointersIntoMemoryAreABlockAndAnOffset) {
  ExternalSignature f;
  f.function = "lastOf";
  f.arguments = {ExternalType::Integer};
  f.result = ExternalType::Integer;
  f.returnsPointer = true;
  f.blocks = {{32, false}, {8, false}};
  // The first word is where the next one lies: at a multiple of 4 below 16 in the second block.
  std::vector<std::pair<uint64_t, ExprPtr>> terms;
  for (uint64_t i = 1; i < 6; ++i)
    terms.push_back({f.contentsAt(0) + i, k((kOther >> 8 * i) & 0xff, 8)});
  terms.push_back({f.contentsAt(0), k(kOther & 0xff, 8)});
  ExprPtr plain = apply(f, {kText}, {kText, kOther}, terms);
  terms.pop_back();
  ExprPtr bit = c.bvAnd(c.read(in, uint64_t(0)), k(0, 8)); // a term, always 0
  terms.push_back({f.contentsAt(0), c.bvOr(bit, k(kOther & 0xff, 8))});
  terms.push_back({f.contentsAt(1) + 7, c.bvAnd(c.read(in, uint64_t(2)), k(1, 8))}); // foreign
  ExprPtr some = apply(f, {kText}, {kText, kOther}, terms);
  const std::vector<ExprPtr> constraints = {
      c.eq(c.read(plain, ExternalSignature::kBlockAt), k(2, 8)), returned(some),
      c.eq(value(some), k(0, 64)), c.ult(c.read(in, uint64_t(0)), k(2, 8))};
  expectRight(constraints, someInputs(0));
}

TEST_F(Rows, WhatGoesWrongIsNotedAndTheOthersGoOn) {
  ExprPtr sum = picky(c.read(in, uint64_t(3)));
  expectRight({returned(sum), c.ult(value(sum), k(200, 64))}, someInputs(120));
  std::set<std::string> noted; // by the rows, and once more by the evaluator
  for (const ExternalFault &f : server.takeFaults()) noted.insert(f.arguments);
  ASSERT_EQ(noted.size(), 3u);
  for (const char *argument : {" 77)", " 88)", " 99)"})
    EXPECT_TRUE(std::any_of(noted.begin(), noted.end(), [&](const std::string &n) {
      return n.ends_with(argument);
    })) << argument;
}

TEST_F(Rows, SlowFunctionsKeepToTheTime) {
  ExternalSignature f;
  f.function = "doze";
  f.arguments = {ExternalType::Integer};
  f.result = ExternalType::Integer;
  ExprPtr tripled = apply(f, {0}, {}, {{0, c.read(in, uint64_t(0))}, {1, c.read(in, uint64_t(1))}});
  const auto start = std::chrono::steady_clock::now();
  auto solver = solver::makeJitFuzzSolver(c);
  const std::vector<ExprPtr> constraints = {returned(tripled), c.eq(value(tripled), k(7, 64))};
  solver::Answer a = solver->solve(constraints, {}, {.time = std::chrono::milliseconds(500)});
  EXPECT_EQ(a.kind, solver::AnswerKind::Unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Rows, TheSameSearchInEveryRun) {
  // In the sum of three bytes and 77 + the fourth one is a crash on the way.
  ExprPtr sum = picky(c.read(in, uint64_t(3)));
  const std::vector<ExprPtr> constraints = {returned(sum), c.eq(value(sum), k(700, 64)),
                                            c.ult(k(60, 8), c.read(in, uint64_t(3)))};
  uint64_t evaluations[2];
  std::vector<uint8_t> models[2];
  for (int i : {0, 1}) {
    auto solver = solver::makeJitFuzzSolver(c);
    solver::Answer a = solver->solve(constraints, {}, {.evaluations = 200'000});
    ASSERT_EQ(a.kind, solver::AnswerKind::Sat);
    evaluations[i] = solver->stats().evaluations;
    for (uint64_t b = 0; b < 4; ++b) models[i].push_back(a.model.byte(in, b));
  }
  EXPECT_EQ(evaluations[0], evaluations[1]);
  EXPECT_EQ(models[0], models[1]);
}

} // namespace
