// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharing slots changes nothing that a run can see: random functions are walked along random paths,
// with the code as it was and with the shared slots side by side. A slot holds the number of the
// step that wrote it last; every read must find the same number on both sides.
#include "program/ShareSlots.h"

#include "program/Operands.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::program;

namespace {

constexpr uint32_t kArgs = 3, kLocals = 4;
constexpr uint64_t kNobody = 0;

struct RandomFunction {
  Program program;
  FunctionCode f;
};

/// Blocks of operations on one, two and several slots, calls included, that jump to random blocks.
RandomFunction makeFunction(uint64_t seed) {
  Rng rng(seed);
  RandomFunction out;
  FunctionCode callee;
  callee.retSlots = 2;
  out.program.functions.push_back(callee);
  FunctionCode &f = out.f;
  const uint32_t blocks = 1 + rng.below(12), shared = kArgs + rng.below(seed % 8 ? 40 : 600);
  f.argSlots = kArgs;
  f.localBase = shared;
  f.slots = shared + kLocals;
  auto slot = [&] { return rng.below(f.slots); };
  // Two slots never are a parameter's and another's, or one that is shared and a block's own.
  auto pair = [&] {
    for (;;)
      if (uint32_t k = rng.below(f.slots - 1); k + 1 != kArgs && k + 1 != shared) return k;
  };
  std::vector<uint32_t> starts;
  for (uint32_t b = 0; b < blocks; b++) {
    starts.push_back(static_cast<uint32_t>(f.code.size()));
    for (uint32_t n = rng.below(seed % 8 ? 8 : 60); n > 0; n--) switch (rng.below(6)) {
      case 0: f.code.push_back({Op::Const, 64, 0, slot()}); break;
      case 1: f.code.push_back({Op::Add64, 64, 0, slot(), slot(), slot()}); break;
      case 2: f.code.push_back({Op::Mov, 64, 0, slot(), slot()}); break;
      case 3: f.code.push_back({Op::Store64, 64, 0, 0, slot(), slot()}); break;
      case 4: f.code.push_back({Op::WideMov, 128, 0, pair(), pair()}); break;
      default: {
        const auto first = static_cast<uint32_t>(f.pool.size());
        for (uint32_t k = 0; k < 3; k++) f.pool.push_back(slot());
        f.code.push_back({Op::Call, 0, 0, pair(), 0, 3, 0, kNoIndex, first});
      }
      }
    const uint32_t to = rng.below(blocks), other = rng.below(blocks);
    if (rng.below(5) == 0)
      f.code.push_back({Op::Ret, 64, 0, 0, slot(), 1});
    else
      f.code.push_back({Op::CondJmp, 1, 0, 0, slot(), 0, to, other});
  }
  for (Inst &i : f.code)
    if (i.op == Op::CondJmp) i.c = starts[i.c], i.d = starts[i.d];
  f.blockStarts = starts;
  return out;
}

struct Frame {
  explicit Frame(uint32_t slots) : wrote(slots, kNobody) {}
  std::vector<uint64_t> wrote;
  std::vector<uint64_t> step(const Program &p, const FunctionCode &f, const Inst &i, uint64_t now) {
    std::vector<uint64_t> read;
    forEachAccess(p, f, i, [&](uint32_t slot, uint32_t n, bool definition) {
      for (uint32_t k = slot; k < slot + n; k++)
        if (definition)
          wrote.at(k) = now * 8 + (k - slot);
        else
          read.push_back(wrote.at(k));
    });
    return read;
  }
};

void walk(const Program &p, const FunctionCode &before, const FunctionCode &after, uint64_t seed,
          uint64_t &compared) {
  Rng rng(seed);
  Frame a(before.slots), b(after.slots);
  for (uint32_t k = 0; k < kArgs; k++) a.wrote[k] = b.wrote[k] = 1 + k;
  uint32_t at = 0;
  for (uint64_t now = 1; now < 400; now++) {
    const Inst &i = before.code[at], &j = after.code[at];
    ASSERT_EQ(i.op, j.op);
    std::vector<uint64_t> left = a.step(p, before, i, now), right = b.step(p, after, j, now);
    ASSERT_EQ(left.size(), right.size());
    for (size_t k = 0; k < left.size(); k++) {
      if (left[k] == kNobody) continue; // never written: may be anything
      ASSERT_EQ(left[k], right[k]) << "instruction " << at;
      compared++;
    }
    if (i.op == Op::Ret) return;
    at = i.op != Op::CondJmp ? at + 1 : rng.flip() ? j.c : j.d;
  }
}

TEST(ShareSlots, SameValuesAreReadOnEveryWay) {
  uint64_t compared = 0, before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    RandomFunction r = makeFunction(seed);
    FunctionCode shared = r.f;
    shareSlots(r.program, shared);
    ASSERT_LE(shared.localBase, r.f.localBase);
    ASSERT_EQ(shared.slots - shared.localBase, kLocals);
    before += r.f.localBase;
    after += shared.localBase;
    for (uint64_t way = 0; way < 20; way++) {
      SCOPED_TRACE(testing::Message() << "function " << seed << ", way " << way);
      walk(r.program, r.f, shared, way, compared);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(compared, 100000u);
  EXPECT_LT(after, before); // some was shared
}

Inst constant(uint32_t to) { return {Op::Const, 64, 0, to}; }
Inst store(uint32_t address, uint32_t value) { return {Op::Store64, 64, 0, 0, address, value}; }

/// r1 .. r4 are used one after another: one slot beside the parameter.
TEST(ShareSlots, OneAfterAnother) {
  Program p;
  FunctionCode f;
  f.argSlots = 1;
  f.localBase = f.slots = 5;
  for (uint32_t k = 1; k < 5; k++) {
    f.code.push_back(constant(k));
    f.code.push_back(store(0, k));
  }
  f.code.push_back({Op::RetVoid});
  shareSlots(p, f);
  EXPECT_EQ(f.slots, 2u);
  for (size_t at = 0; at < 8; at += 2) EXPECT_EQ(f.code[at].dst, 1u);
}

/// A parameter that is not read any more gives its slot away, but not before the function begins.
TEST(ShareSlots, DeadParameter) {
  Program p;
  FunctionCode f;
  f.argSlots = 1;
  f.localBase = f.slots = 3;
  f.code = {constant(1), store(0, 1), constant(2), store(2, 2), {Op::RetVoid}};
  shareSlots(p, f);
  EXPECT_EQ(f.code[0].dst, 1u);
  EXPECT_EQ(f.code[2].dst, 0u);
  EXPECT_EQ(f.slots, 2u);
}

/// What a loop reads that was written before it stays through the loop.
TEST(ShareSlots, LiveThroughLoop) {
  Program p;
  FunctionCode f;
  f.argSlots = 1;
  f.localBase = f.slots = 3;
  f.code = {constant(1), {Op::Mov, 64, 0, 2, 1}, {Op::CondJmp, 1, 0, 0, 0, 0, 1, 3}, {Op::RetVoid}};
  shareSlots(p, f);
  EXPECT_NE(f.code[0].dst, f.code[1].dst);
  EXPECT_EQ(f.code[1].a, f.code[0].dst);
}

} // namespace
