// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state's memory by itself: what an address means, what is freed, what copies share, and which
// bytes were never written. Nothing here depends on where objects lie.
#include "explore/interpreter/Memory.h"

#include "expr/ExprContext.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace fathom::explore::test {
namespace {

struct MemoryTest : testing::Test {
  expr::ExprContext context;
  Memory memory;

  uint64_t make(uint64_t size, ObjectKind kind = ObjectKind::Heap, uint64_t align = 1) {
    const ObjectState *o = memory.allocate(size, kind, /*zeroed=*/false, {1, 2}, "", align);
    EXPECT_TRUE(o) << size;
    return o ? o->base() : 0;
  }
  static std::vector<uint8_t> bytesAt(const Memory &m, uint64_t address, uint64_t size) {
    const ObjectState *o = m.resolve(address, size);
    if (!o) return {};
    std::vector<uint8_t> out;
    for (uint64_t i = 0; i < size; i++) out.push_back(m.read(*o, address - o->base() + i).value);
    return out;
  }
  void write(Memory &m, uint64_t address, std::vector<uint8_t> bytes) {
    m.writeConcrete(address, bytes.data(), bytes.size());
  }
};

using Bytes = std::vector<uint8_t>;

TEST_F(MemoryTest, AnAddressMeansItsObject) {
  const uint64_t small = make(10), large = make(3 * kPageSize + 5);
  ASSERT_TRUE(memory.find(small + 9));
  EXPECT_EQ(memory.find(small + 9)->base(), small);
  EXPECT_EQ(memory.find(large + 3 * kPageSize + 4)->base(), large);
  EXPECT_EQ(memory.find(large)->size(), 3 * kPageSize + 5);
  EXPECT_EQ(memory.find(large)->info->function, 1u);
  EXPECT_EQ(memory.find(0), nullptr);
  EXPECT_EQ(memory.find(~uint64_t(0)), nullptr);
  // In bounds, to the last byte, and no further.
  EXPECT_TRUE(memory.resolve(small, 10));
  EXPECT_TRUE(memory.resolve(small + 10, 0));
  EXPECT_FALSE(memory.resolve(small, 11));
  EXPECT_FALSE(memory.resolve(small + 10, 1));
  EXPECT_FALSE(memory.resolve(small - 1, 2));
  EXPECT_FALSE(memory.resolve(small + 1, ~uint64_t(0)));
}

// Running over an object's end, or before its start, by less than its size meets no other object.
TEST_F(MemoryTest, ObjectsLieApartAndAligned) {
  Rng rng(7);
  std::map<uint64_t, uint64_t> sizes; // by address
  for (unsigned i = 0; i < 2000; i++) {
    const uint64_t size = rng.below(1u << rng.below(16)) + 1, align = uint64_t(1) << rng.below(13);
    const uint64_t at = make(size, rng.flip() ? ObjectKind::Heap : ObjectKind::Stack, align);
    EXPECT_EQ(at % align, 0u);
    EXPECT_TRUE(sizes.emplace(at, size).second);
  }
  for (auto it = sizes.begin(), next = std::next(it); next != sizes.end(); it = next++) {
    const uint64_t gap = next->first - it->first - it->second;
    ASSERT_LT(it->first + it->second, next->first);
    EXPECT_GE(gap, std::min(it->second, next->second));
  }
}

TEST_F(MemoryTest, AnObjectGrowsForOneStateOnly) {
  const uint64_t base = memory.allocate(512, ObjectKind::Heap, true, {1, 2})->base();
  const uint8_t last = 7;
  memory.writeConcrete(base + 511, &last, 1);
  const Memory before = memory;
  ASSERT_TRUE(memory.grow(base, 8192));
  const ObjectState *grown = memory.find(base + 8191);
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->size(), 8192u);
  EXPECT_EQ(grown->known, 8192u);
  EXPECT_EQ(memory.read(*grown, 511).value, 7);
  EXPECT_EQ(memory.read(*grown, 512).value, 0);
  const uint8_t far = 9;
  memory.writeConcrete(base + 8000, &far, 1);
  EXPECT_EQ(memory.read(*memory.find(base), 8000).value, 9);
  EXPECT_EQ(memory.usage().heapBytes, before.usage().heapBytes + 8192 - 512);
  EXPECT_EQ(before.find(base)->size(), 512u);
  EXPECT_EQ(before.read(*before.find(base), 511).value, 7);
  EXPECT_FALSE(memory.grow(base, uint64_t(1) << 40)) << "its slot has no room";
}

TEST_F(MemoryTest, WhatIsFreedIsKnownAsFreed) {
  const uint64_t block = make(24), local = make(8, ObjectKind::Stack);
  EXPECT_EQ(memory.usage().heapBytes, 24u);
  EXPECT_EQ(memory.usage().stackBytes, 8u);
  EXPECT_EQ(memory.usage().heapObjects, 1u);
  memory.free(block, {3, 4});
  memory.free(local, {5, 6});
  EXPECT_EQ(memory.usage().heapBytes, 0u);
  EXPECT_EQ(memory.usage().stackBytes, 0u);
  EXPECT_EQ(memory.usage().heapObjects, 0u);
  EXPECT_FALSE(memory.resolve(block, 1));
  const ObjectState *tombstone = memory.find(block + 23);
  ASSERT_TRUE(tombstone);
  EXPECT_TRUE(tombstone->freed);
  EXPECT_EQ(tombstone->size(), 24u);
  EXPECT_EQ(tombstone->freeFunction, 3u);
  EXPECT_EQ(tombstone->freeInst, 4u);
}

// A freed object's address is not used again for the next 500 allocations of its size.
TEST_F(MemoryTest, QuarantineKeepsAddressesApart) {
  for (ObjectKind kind : {ObjectKind::Heap, ObjectKind::Stack}) {
    const uint64_t freed = make(16, kind);
    memory.free(freed, {});
    for (unsigned i = 0; i < 500; i++) {
      const uint64_t other = make(16, kind);
      ASSERT_NE(other, freed) << i;
      memory.free(other, {});
    }
    EXPECT_TRUE(memory.find(freed)->freed);
  }
}

// And after that it is used again: a path that allocates for ever does not use up the addresses, of
// which there are 2^15 for such blocks.
TEST_F(MemoryTest, AddressesAreUsedAgain) {
  for (unsigned i = 0; i < 100000; i++) {
    const ObjectState *o =
        memory.allocate(16, ObjectKind::Heap, true, {}, "", /*align=*/uint64_t(1) << 32);
    ASSERT_TRUE(o) << i;
    memory.free(o->base(), {});
  }
}

TEST_F(MemoryTest, ThereIsNoRoomForEver) {
  unsigned made = 0;
  while (memory.allocate(16, ObjectKind::Stack, true, {}, "", uint64_t(1) << 32))
    ASSERT_LT(++made, 1u << 15);
  EXPECT_GT(made, 0u);
  EXPECT_TRUE(memory.allocate(16, ObjectKind::Stack, true, {})); // elsewhere there is
  EXPECT_FALSE(memory.allocate(~uint64_t(0), ObjectKind::Heap, true, {}));
}

TEST_F(MemoryTest, ACopySeesNothingOfWhatComesLater) {
  const uint64_t a = make(2 * kPageSize), b = make(4);
  write(memory, a, {1, 2, 3});
  write(memory, a + kPageSize, {4});
  Memory fork(memory);
  EXPECT_EQ(fork.find(a), memory.find(a)); // shared, until one of them writes
  const uint64_t mine = make(100);
  const uint64_t theirs = fork.allocate(100, ObjectKind::Heap, true, {})->base();
  write(fork, a, {9});
  fork.free(b, {});
  EXPECT_EQ(bytesAt(memory, a, 3), (Bytes{1, 2, 3}));
  EXPECT_EQ(bytesAt(fork, a, 3), (Bytes{9, 2, 3}));
  EXPECT_TRUE(memory.resolve(b, 4));
  EXPECT_FALSE(fork.resolve(b, 4));
  EXPECT_EQ(theirs, mine); // the same path from here on has the same addresses
  write(memory, mine, {5});
  EXPECT_EQ(bytesAt(fork, mine, 1), Bytes{0});
  // A page without writes is still shared.
  EXPECT_EQ(memory.find(a)->pages[1], fork.find(a)->pages[1]);
  EXPECT_NE(memory.find(a)->pages[0], fork.find(a)->pages[0]);
}

TEST_F(MemoryTest, PagesGoWithTheLastThatHasThem) {
  const uint64_t before = Memory::pageBytes();
  {
    Memory first;
    const uint64_t at = first.allocate(10 * kPageSize, ObjectKind::Heap, true, {})->base();
    EXPECT_EQ(Memory::pageBytes(), before); // never written
    for (unsigned p = 0; p < 10; p++) write(first, at + p * kPageSize, {1});
    const uint64_t once = Memory::pageBytes() - before;
    EXPECT_GE(once, 10 * kPageSize);
    Memory second(first);
    EXPECT_EQ(Memory::pageBytes() - before, once);
    write(second, at, {2});
    EXPECT_LT(Memory::pageBytes() - before, once + 2 * kPageSize);
    EXPECT_GT(Memory::pageBytes() - before, once);
  }
  EXPECT_EQ(Memory::pageBytes(), before);
}

TEST_F(MemoryTest, BytesThatWereNeverWritten) {
  const uint64_t block = make(kPageSize + 100);
  auto uninit = [&](const Memory &m, uint64_t offset) {
    return m.read(*m.find(block), offset).uninit;
  };
  EXPECT_TRUE(uninit(memory, 0));
  EXPECT_TRUE(uninit(memory, kPageSize + 99));
  write(memory, block + 63, {1, 2, 3}); // across a word of bits
  EXPECT_TRUE(uninit(memory, 62));
  for (uint64_t i = 63; i < 66; i++) EXPECT_FALSE(uninit(memory, i));
  EXPECT_TRUE(uninit(memory, 66));
  write(memory, block + kPageSize - 1, {7, 8}); // across a page
  EXPECT_FALSE(uninit(memory, kPageSize - 1));
  EXPECT_FALSE(uninit(memory, kPageSize));
  EXPECT_TRUE(uninit(memory, kPageSize + 1));
  Memory fork(memory);
  write(fork, block, {0}); // a zero is a value
  EXPECT_FALSE(uninit(fork, 0));
  EXPECT_TRUE(uninit(memory, 0));
  // Where everything is written the page is plain, and plain is what the interpreter is fast on.
  EXPECT_FALSE(memory.find(block)->pages[1]->plain());
  write(memory, block + kPageSize, Bytes(100, 3));
  EXPECT_TRUE(memory.find(block)->pages[1]->plain());
  const ObjectState *zeroed = memory.allocate(8, ObjectKind::Heap, /*zeroed=*/true, {});
  EXPECT_FALSE(memory.read(*zeroed, 3).uninit);
}

/// Small pages and large ones, ranges that cross words of the bitmaps, copies within one page: the
/// same as byte by byte.
TEST_F(MemoryTest, PagesTakeOverBytesOfOthers) {
  ExprPtr symbol = context.symbol("in", 8);
  Rng rng(7);
  for (unsigned stepContext = 0; stepContext < 2000; stepContext++) {
    const bool isWithin = stepContext % 3 == 0, hasTerms = stepContext % 5 == 0;
    const auto size = static_cast<unsigned>(2 + rng.next() % (stepContext % 2 ? 62 : 400));
    Page *to = Page::create(size, rng.next() % 2), *other = Page::create(size, rng.next() % 2);
    for (Page *p : {to, other})
      for (unsigned i = 0; i < size; i++) {
        const uint64_t what = rng.next() % 8;
        if (what == 0) p->setUninit(i);
        if (what == 1 && hasTerms) p->setSym(i, context.read(symbol, rng.next() % 8));
        if (what > 5) p->setConcrete(i, static_cast<uint8_t>(rng.next()));
      }
    const Page *from = isWithin ? to : stepContext % 7 == 0 ? nullptr : other;
    const auto count = static_cast<unsigned>(rng.next() % (size / 2 + 1));
    auto at = static_cast<unsigned>(rng.next() % (size - count + 1));
    auto start = static_cast<unsigned>(rng.next() % (size - count + 1));
    if (isWithin) { // apart
      at = static_cast<unsigned>(rng.next() % (size - 2 * count + 1));
      start = at + count;
      if (rng.next() % 2) std::swap(at, start);
    }
    struct Byte {
      uint8_t value;
      ExprPtr term;
      bool isUnwritten;
      bool operator==(const Byte &) const = default;
    };
    auto byteOf = [](const Page *p, unsigned i) {
      return p ? Byte{p->data[i], p->sym(i), p->isUninit(i)} : Byte{0, nullptr, true};
    };
    std::vector<Byte> expected;
    for (unsigned i = 0; i < size; i++) expected.push_back(byteOf(to, i));
    bool anyUnwritten = false;
    for (unsigned i = 0; i < count; i++) {
      expected[start + i] = byteOf(from, at + i);
      anyUnwritten |= expected[start + i].isUnwritten;
    }
    EXPECT_EQ(to->copyFrom(start, from, at, count), anyUnwritten) << stepContext;
    unsigned unwritten = 0;
    for (unsigned i = 0; i < size; i++) {
      EXPECT_TRUE(byteOf(to, i) == expected[i]) << stepContext << ": " << i;
      unwritten += expected[i].isUnwritten;
    }
    EXPECT_EQ(to->numUninit, unwritten) << stepContext;
    EXPECT_EQ(to->uninit != nullptr, unwritten > 0) << stepContext;
    Page::release(to);
    Page::release(other);
  }
}

TEST_F(MemoryTest, AVariableIsUnwrittenWhenItsBlockBeginsAgain) {
  for (uint64_t size : {uint64_t(8), uint64_t(100), kPageSize + 8}) {
    const uint64_t variable = make(size, ObjectKind::Stack);
    ExprPtr symbol = context.symbol("in", 8);
    write(memory, variable, {1, 2, 3});
    memory.writeSym(variable + 3, context.read(symbol, uint64_t(0)));
    Memory fork(memory);
    EXPECT_TRUE(memory.leaveScope(variable, {}));
    EXPECT_FALSE(memory.leaveScope(variable, {})) << "it has ended";
    EXPECT_FALSE(memory.resolve(variable, 1));
    memory.enterScope(variable);
    for (unsigned stepContext = 0; stepContext < 2;
         stepContext++) { // shared with the other one, and then no more
      for (uint64_t i = 0; i < 4; i++) {
        const ByteValue byte = memory.read(*memory.find(variable), i);
        EXPECT_TRUE(byte.uninit && !byte.sym && !byte.value) << size << ": " << i;
      }
      write(memory, variable, {4, 5});
      EXPECT_TRUE(memory.leaveScope(variable, {}));
      memory.enterScope(variable);
    }
    EXPECT_EQ(bytesAt(fork, variable, 3), (Bytes{1, 2, 3}));
    memory.enterScope(variable); // is in it: nothing happens
    write(memory, variable, {6});
    memory.enterScope(variable);
    EXPECT_EQ(memory.read(*memory.find(variable), 0).value, 6);
  }
}

TEST_F(MemoryTest, SymbolicBytesAreReplacedByWhatIsWritten) {
  const uint64_t block = make(200);
  ExprPtr symbol = context.symbol("in", 4), byte = context.read(symbol, uint64_t(0));
  memory.writeSym(block + 40, byte);
  auto at = [&](const Memory &m, uint64_t i) { return m.read(*m.find(block), i); };
  EXPECT_EQ(at(memory, 40).sym, byte);
  EXPECT_FALSE(at(memory, 40).uninit);
  EXPECT_EQ(at(memory, 41).sym, nullptr);
  Memory fork(memory);
  write(fork, block + 40, {5});
  EXPECT_EQ(at(fork, 40).sym, nullptr);
  EXPECT_EQ(at(fork, 40).value, 5);
  EXPECT_EQ(at(memory, 40).sym, byte);
  memory.writeSym(block + 40, context.constant(6, 8)); // a constant is no term
  EXPECT_EQ(at(memory, 40).sym, nullptr);
  EXPECT_EQ(at(memory, 40).value, 6);
  memory.writeSym(block + 7, byte);
  std::vector<ExprPtr> found;
  std::unordered_set<const void *> seen;
  memory.visitTerms([&](ExprPtr e) { found.push_back(e); }, seen);
  EXPECT_EQ(found, std::vector<ExprPtr>{byte});
  fork.visitTerms([&](ExprPtr e) { found.push_back(e); }, seen); // has none of its own
  EXPECT_EQ(found.size(), 1u);
}

// Against a model that is a map: random allocations, writes, frees and copies, of several states.
TEST_F(MemoryTest, LikeAMapOfBytes) {
  struct Reference {
    std::map<uint64_t, std::map<uint64_t, uint8_t>> live; // address -> offset -> byte
    std::map<uint64_t, uint64_t> sizes;
  };
  Rng rng(3);
  std::vector<std::pair<std::unique_ptr<Memory>, Reference>> states;
  states.emplace_back(std::make_unique<Memory>(), Reference());
  for (unsigned n = 0; n < 6000; n++) {
    auto &[m, r] = states[rng.below(static_cast<uint32_t>(states.size()))];
    const unsigned what = rng.below(20);
    if (what < 4 || r.live.empty()) {
      const uint64_t size = 1 + rng.below(rng.flip() ? 40 : 9000);
      const uint64_t at = m->allocate(size, ObjectKind::Heap, false, {})->base();
      ASSERT_FALSE(r.live.count(at));
      r.live[at];
      r.sizes[at] = size;
      continue;
    }
    auto it = std::next(r.live.begin(), rng.below(static_cast<uint32_t>(r.live.size())));
    const uint64_t at = it->first, size = r.sizes[at];
    if (what == 4) {
      m->free(at, {});
      r.live.erase(it);
      ASSERT_FALSE(m->resolve(at, 1));
    } else if (what == 5 && states.size() < 6) {
      states.emplace_back(std::make_unique<Memory>(*m), Reference(r));
    } else if (what < 14) {
      const uint64_t from = rng.below(static_cast<uint32_t>(size));
      Bytes bytes(1 + rng.below(static_cast<uint32_t>(std::min<uint64_t>(size - from, 5000))));
      for (uint8_t &b : bytes) b = static_cast<uint8_t>(rng.next());
      write(*m, at + from, bytes);
      for (size_t i = 0; i < bytes.size(); i++) it->second[from + i] = bytes[i];
    } else {
      const ObjectState *o = m->resolve(at, size);
      ASSERT_TRUE(o);
      for (unsigned k = 0; k < 50; k++) {
        const uint64_t i = rng.below(static_cast<uint32_t>(size));
        const ByteValue b = m->read(*o, i);
        auto known = it->second.find(i);
        ASSERT_EQ(b.uninit, known == it->second.end());
        if (known != it->second.end()) ASSERT_EQ(b.value, known->second);
      }
    }
  }
  for (auto &[m, r] : states) EXPECT_EQ(m->usage().heapObjects, r.live.size());
}

} // namespace
} // namespace fathom::explore::test
