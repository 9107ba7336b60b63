// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random functions are walked along random paths: what is read was live all the time since it was
// written, and a value has the width that is said, wherever one is said.
#include "program/SlotFlow.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::program;

namespace {

constexpr uint32_t kSlots = 9;

struct FlowFunction {
  Program program;
  FunctionCode f;
};

FlowFunction makeFlowFunction(uint64_t seed) {
  Rng rng(seed);
  FlowFunction out;
  FunctionCode &f = out.f;
  out.program.shapes = {{32, 64}, {8}};
  FunctionCode callee;
  callee.retSlots = 1;
  callee.retShape = 1;
  out.program.functions.push_back(callee);
  f.argSlots = 2;
  f.argShape = 0;
  f.slots = f.localBase = kSlots;
  auto slot = [&] { return rng.below(kSlots); };
  std::vector<uint32_t> starts;
  const uint32_t blocks = 1 + rng.below(8);
  for (uint32_t b = 0; b < blocks; b++) {
    starts.push_back(static_cast<uint32_t>(f.code.size()));
    for (uint32_t n = rng.below(6); n > 0; n--) switch (rng.below(6)) {
      case 0: f.code.push_back({Op::Const, 64, 0, slot()}); break;
      case 1: f.code.push_back({Op::AddN, 16, 0, slot(), slot(), slot()}); break;
      case 2: f.code.push_back({Op::Load32, 0, 0, slot(), slot()}); break;
      case 3: f.code.push_back({Op::EqI, 32, 0, slot(), slot()}); break;
      case 4:
        f.code.push_back({Op::WideMov, 128, 0, rng.below(kSlots - 1), rng.below(kSlots - 1)});
        break;
      default: f.code.push_back({Op::Call, 0, 0, slot(), 0, 0, 0, kNoIndex, 0});
      }
    if (rng.below(5) == 0)
      f.code.push_back({Op::RetVoid});
    else
      f.code.push_back({Op::CondJmp, 1, 0, 0, slot(), 0, rng.below(blocks), rng.below(blocks)});
  }
  for (Inst &i : f.code)
    if (i.op == Op::CondJmp) i.c = starts[i.c], i.d = starts[i.d];
  f.blockStarts = starts;
  return out;
}

/// Calls visit(instruction) along a path.
template <class Visit> void walk(const FunctionCode &f, Rng &rng, Visit visit) {
  uint32_t at = 0;
  for (unsigned steps = 0; steps < 200; steps++) {
    const Inst &i = f.code[at];
    visit(at);
    if (i.op == Op::RetVoid) return;
    at = i.op == Op::CondJmp ? (rng.flip() ? i.c : i.d) : at + 1;
  }
}

TEST(SlotFlow, WhatIsReadWasLiveSinceItWasWritten) {
  unsigned dead = 0, reads = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    FlowFunction made = makeFlowFunction(seed);
    SlotLiveness liveness(made.program, made.f, kSlots);
    Rng rng(seed);
    std::vector<bool> wasDead(kSlots, false); // since it was written
    walk(made.f, rng, [&](uint32_t at) {
      const llvm::BitVector live = liveness.liveAt(at);
      for (uint32_t k = 0; k < kSlots; k++) {
        dead += !live.test(k);
        if (!live.test(k)) wasDead[k] = true;
      }
      liveness.forEachSlotOf(made.f.code[at], false, [&](uint32_t k) {
        reads++;
        EXPECT_FALSE(wasDead[k]) << "seed " << seed << " instruction " << at << " slot " << k;
      });
      liveness.forEachSlotOf(made.f.code[at], true, [&](uint32_t k) { wasDead[k] = false; });
    });
  }
  EXPECT_GT(dead, 1000u);
  EXPECT_GT(reads, 1000u);
}

TEST(SlotFlow, ValuesHaveTheWidthsThatAreSaid) {
  constexpr unsigned kHalf = 1; // of a pair: said to be several
  unsigned exact = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    FlowFunction made = makeFlowFunction(seed);
    SlotWidths widths(made.program, made.f);
    Rng rng(seed);
    std::vector<unsigned> is(kSlots, 0); // 0: a constant, or never written
    is[0] = 32;
    is[1] = 64;
    walk(made.f, rng, [&](uint32_t at) {
      const std::vector<unsigned> said = widths.widthsAt(at);
      for (uint32_t k = 0; k < kSlots; k++) {
        if (said[k] == SlotWidths::kSeveral || !is[k]) continue;
        exact++;
        EXPECT_EQ(said[k], is[k]) << "seed " << seed << " instruction " << at << " slot " << k;
      }
      const Inst &i = made.f.code[at];
      switch (i.op) {
      case Op::Const: is[i.dst] = 0; break;
      case Op::AddN: is[i.dst] = 16; break;
      case Op::Load32: is[i.dst] = 32; break;
      case Op::EqI: is[i.dst] = 1; break;
      case Op::WideMov:
        is[i.dst] = 128;
        is[i.dst + 1] = kHalf;
        break;
      case Op::Call: is[i.dst] = 8; break;
      default: break;
      }
    });
  }
  EXPECT_GT(exact, 5000u);
}

TEST(SlotFlow, AConstantHasTheWidthOfWhatMeetsIt) {
  FlowFunction made;
  made.program.shapes = {{}};
  FunctionCode &f = made.f;
  f.slots = f.localBase = 2;
  f.code = {{Op::Const, 64, 0, 0},                // 0: count = 0
            {Op::Const, 64, 0, 1},                // 1: only ever a constant
            {Op::CondJmp, 1, 0, 0, 1, 0, 3, 5},   // 2
            {Op::AddNI, 32, 0, 0, 0, 0, 0, 0, 1}, // 3: count + 1
            {Op::Jmp, 0, 0, 0, 0, 0, 2, 0},       // 4
            {Op::RetVoid}};                       // 5
  f.blockStarts = {0, 2, 3, 5};
  SlotWidths widths(made.program, f);
  EXPECT_EQ(widths.widthsAt(1)[0], SlotWidths::kUnknown);
  EXPECT_EQ(widths.widthsAt(2)[0], 32u);
  EXPECT_EQ(widths.widthsAt(5)[0], 32u);
  EXPECT_EQ(widths.widthsAt(5)[1], SlotWidths::kUnknown);
}

} // namespace
