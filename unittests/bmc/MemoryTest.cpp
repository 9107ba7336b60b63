// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Memory.h"

#include <gtest/gtest.h>

#include <random>

using namespace fathom;
using namespace fathom::bmc;

namespace {

class MemoryTest : public testing::Test {
protected:
  expr::ExprContext context;
  program::Program program;
  Objects objects{context, program, /*knowsVariables=*/false};
  ObjectId block = objects.addHeap();

  ExprPtr number(uint64_t value, unsigned width) { return context.constant(value, width); }
  /// What a term is where the condition has this value.
  ExprPtr where(ExprPtr term, ExprPtr condition, bool holds) {
    const std::pair<ExprPtr, ExprPtr> to{condition, context.boolean(holds)};
    return context.substitute(term, {&to, 1});
  }
};

/// Stores and loads of all widths, straddling, against an array of bytes.
TEST_F(MemoryTest, StoresAreReadBack) {
  std::mt19937 random(7);
  Memory memory;
  memory.fill(objects, block, objects.zeroBase());
  std::vector<uint8_t> bytes(32);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t size = 1u << random() % 4, offset = random() % (32 - size + 1);
    if (random() % 2) {
      const uint64_t value = uint64_t(random()) << 32 | random();
      memory.store(objects, context, block, offset, size, number(value, size * 8),
                   context.trueExpr());
      for (uint32_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<uint8_t>(value >> 8 * i);
      continue;
    }
    uint64_t wanted = 0;
    for (uint32_t i = size; i-- > 0;) wanted = wanted << 8 | bytes[offset + i];
    EXPECT_EQ(memory.load(objects, context, block, offset, size), number(wanted, size * 8));
  }
}

/// Two states with different stores: where the condition holds, the joined one is the first.
TEST_F(MemoryTest, JoinedStatesAreBoth) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const ExprPtr condition = objects.fresh(1);
    Memory first;
    first.fill(objects, block, objects.zeroBase());
    const auto change = [&](Memory &memory) {
      const uint32_t size = 1u << random() % 4, offset = random() % (16 - size + 1);
      memory.store(objects, context, block, offset, size, number(random(), size * 8),
                   context.trueExpr());
    };
    for (int i = 0; i < 3; ++i) change(first);
    Memory second = first, joined;
    for (int i = 0; i < 3; ++i) change(first), change(second);
    joined = first;
    joined.join(objects, context, condition, second);
    for (uint32_t size : {1u, 4u, 8u})
      for (uint32_t offset = 0; offset + size <= 16; offset += size) {
        const ExprPtr both = joined.load(objects, context, block, offset, size);
        EXPECT_EQ(where(both, condition, true), first.load(objects, context, block, offset, size));
        EXPECT_EQ(where(both, condition, false),
                  second.load(objects, context, block, offset, size));
      }
  }
}

TEST_F(MemoryTest, WhatWasNotStoredIsTheSameInBothStates) {
  Memory first, second;
  const ExprPtr before = first.load(objects, context, block, 4, 4);
  EXPECT_EQ(second.load(objects, context, block, 4, 4), before);
  second.store(objects, context, block, 0, 4, number(1, 32), context.trueExpr());
  EXPECT_EQ(second.load(objects, context, block, 4, 4), before);
}

TEST_F(MemoryTest, CodeThatIsNotFollowedChangesWhatItMayChange) {
  const ObjectId local = objects.addLocal(3, 8), other = objects.addLocal(4, 8);
  Memory memory;
  memory.giveAway(local);
  memory.giveAway(other);
  const ExprPtr before = memory.load(objects, context, local, 0, 4);
  memory.store(objects, context, other, 0, 4, number(5, 32), context.trueExpr());
  Changes changes;
  changes.frames = {3};
  memory.change(objects, changes);
  EXPECT_NE(memory.load(objects, context, local, 0, 4), before);
  EXPECT_EQ(memory.load(objects, context, other, 0, 4), number(5, 32));
  memory.change(objects, Changes::all());
  EXPECT_FALSE(memory.load(objects, context, other, 0, 4)->isConst());
}

TEST_F(MemoryTest, CodeThatIsNotFollowedDoesNotKnowWhatWasNotGivenAway) {
  Memory memory;
  memory.store(objects, context, block, 0, 4, number(5, 32), context.trueExpr());
  memory.change(objects, Changes::all());
  EXPECT_EQ(memory.load(objects, context, block, 0, 4), number(5, 32));
  const ExprPtr may = objects.fresh(1);
  memory.mayFree(objects, context, may);
  memory.giveAway(block); // too late for what was called before
  EXPECT_EQ(memory.freed(objects, context, block), context.falseExpr());
  memory.mayFree(objects, context, may);
  EXPECT_EQ(memory.freed(objects, context, block), may);
}

TEST_F(MemoryTest, ManyReleasesBecomeOne) {
  Memory memory;
  const ObjectId hidden = objects.addHeap();
  memory.giveAway(block);
  ExprPtr last = nullptr;
  for (int i = 0; i < 1000; ++i) memory.mayFree(objects, context, last = objects.fresh(1));
  // The last one may have freed what was given away, and nothing else.
  const std::pair<ExprPtr, ExprPtr> isSo[] = {{last, context.trueExpr()}};
  EXPECT_TRUE(context.substitute(memory.freed(objects, context, block), isSo)->isTrue());
  EXPECT_EQ(memory.freed(objects, context, hidden), context.falseExpr());
}

TEST_F(MemoryTest, WhatOneStateGaveAwayTheJoinedOneGaveAway) {
  Memory first, second;
  second.giveAway(block);
  first.join(objects, context, objects.fresh(1), second);
  EXPECT_TRUE(first.isGivenAway(block));
}

TEST_F(MemoryTest, AnUnknownPointerMayBeAnyThatWasGivenAway) {
  const ObjectId unknown = objects.unknownAt(objects.fresh(64));
  const ObjectId ofCallers = objects.unknownAt(objects.freshOfCallers(64));
  const auto isWrittenBy = [&](ObjectId written, ObjectId read, bool isGiven) {
    Memory memory;
    if (isGiven) memory.giveAway(block);
    memory.store(objects, context, written, 0, 4, number(5, 32), context.trueExpr());
    return memory.isWrittenElsewhere(objects, read);
  };
  EXPECT_TRUE(isWrittenBy(unknown, block, true));
  EXPECT_TRUE(isWrittenBy(block, unknown, true));
  EXPECT_FALSE(isWrittenBy(unknown, block, false));
  EXPECT_FALSE(isWrittenBy(block, unknown, false));
  EXPECT_TRUE(isWrittenBy(unknown, ofCallers, false));
  EXPECT_FALSE(isWrittenBy(block, ofCallers, true)); // it was not there when callers made theirs
  EXPECT_FALSE(isWrittenBy(unknown, unknown, true)); // that is no other
}

TEST_F(MemoryTest, AnUnknownPointerIsNoAddressThatWasGivenAwayAfterItsFirstUse) {
  const ObjectId word = objects.unknownAt(objects.fresh(64));
  const ObjectId computed = objects.unknownAt(context.zext(objects.fresh(32), 64));
  const ObjectId unclear = objects.unknownAt(objects.fresh(64));
  objects.setUnclear(objects.at(unclear).root);
  Memory memory;
  for (const ObjectId id : {word, computed, unclear}) {
    objects.setAccessed(id, memory.givenAway());
    memory.store(objects, context, id, 0, 4, context.constant(5, 32), context.trueExpr());
  }
  memory.giveAway(block);
  EXPECT_TRUE(memory.isWrittenElsewhere(objects, block)); // by the two others
  Memory second;
  second.store(objects, context, word, 0, 4, context.constant(5, 32), context.trueExpr());
  second.giveAway(block);
  EXPECT_FALSE(second.isWrittenElsewhere(objects, block));
  objects.setAccessed(word, second.givenAway()); // its second use says nothing new
  EXPECT_FALSE(second.isWrittenElsewhere(objects, block));
  const ObjectId newer = objects.unknownAt(objects.fresh(64));
  objects.setAccessed(newer, second.givenAway());
  second.store(objects, context, newer, 0, 4, context.constant(5, 32), context.trueExpr());
  EXPECT_TRUE(second.isWrittenElsewhere(objects, block));
}

/// Also of an object that is looked at after the states were joined.
TEST_F(MemoryTest, ChangesOfOneStateAreChangesOfTheJoinedOne) {
  Memory first, second;
  const ExprPtr condition = objects.fresh(1);
  const ExprPtr before = first.load(objects, context, block, 0, 4);
  second.change(objects, Changes::all());
  const ObjectId late = objects.addHeap();
  const ExprPtr lateBefore = Memory().load(objects, context, late, 0, 4);
  Memory joined = first;
  joined.join(objects, context, condition, second);
  const ExprPtr both = joined.load(objects, context, block, 0, 4);
  EXPECT_EQ(where(both, condition, true), before);
  EXPECT_NE(where(both, condition, false), before);
  EXPECT_NE(joined.load(objects, context, late, 0, 4), lateBefore);
}

TEST_F(MemoryTest, AStoreAtAnUnknownOffsetKeepsWhatItMisses) {
  Memory memory;
  memory.store(objects, context, block, 0, 4, number(5, 32), context.trueExpr());
  const ExprPtr offset = objects.fresh(64);
  memory.storeAnywhere(objects, context, block, offset, 4);
  const ExprPtr after = memory.load(objects, context, block, 0, 4);
  const auto at = [&](uint64_t value) {
    const std::pair<ExprPtr, ExprPtr> to{offset, number(value, 64)};
    return context.substitute(after, {&to, 1});
  };
  EXPECT_EQ(at(4), number(5, 32));
  EXPECT_EQ(at(~uint64_t(3)), number(5, 32)); // four bytes before it
  EXPECT_FALSE(at(3)->isConst());
  EXPECT_FALSE(at(~uint64_t(2))->isConst());
}

TEST_F(MemoryTest, WhatMayBeFreedIsWhatWasThereThen) {
  Memory memory;
  memory.giveAway(block);
  const ExprPtr may = objects.fresh(1);
  memory.mayFree(objects, context, may);
  const ObjectId later = objects.addHeap();
  EXPECT_EQ(memory.freed(objects, context, block), may);
  EXPECT_EQ(memory.freed(objects, context, later), context.falseExpr());
  memory.setFreed(objects, later, context.trueExpr());
  EXPECT_EQ(memory.freed(objects, context, later), context.trueExpr());
}

} // namespace
