// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse sets against std::set, in random sequences of operations.
#include "statics/pointers/SparseBits.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace fathom::statics {
namespace {

using Plain = std::set<uint32_t>;

Plain plainSet(const SparseBits &bits) {
  Plain out;
  bits.forEach([&](uint32_t bit) { out.insert(bit); });
  return out;
}

struct Pair {
  SparseBits bits;
  Plain plain;
};

Pair randomPair(Rng &rng) {
  Pair p;
  const uint32_t range = rng.below(4) == 0 ? 100000 : 300;
  for (uint64_t n = rng.below(80); n > 0; n--) {
    const auto bit = rng.below(range);
    EXPECT_EQ(p.bits.insert(bit), p.plain.insert(bit).second);
  }
  return p;
}

TEST(SparseBits, OperationsAreThoseOfSets) {
  Rng rng(7);
  for (int round = 0; round < 2000; round++) {
    const Pair a = randomPair(rng), b = randomPair(rng);
    EXPECT_EQ(a.bits.count(), a.plain.size());
    for (const uint32_t bit : b.plain) EXPECT_EQ(a.bits.contains(bit), a.plain.contains(bit));

    Plain together = a.plain, both, without;
    together.insert(b.plain.begin(), b.plain.end());
    std::set_intersection(a.plain.begin(), a.plain.end(), b.plain.begin(), b.plain.end(),
                          std::inserter(both, both.end()));
    std::set_difference(b.plain.begin(), b.plain.end(), a.plain.begin(), a.plain.end(),
                        std::inserter(without, without.end()));
    SparseBits united = a.bits, fresh, cut = a.bits, rest = b.bits;
    EXPECT_EQ(united.unite(b.bits, fresh), !without.empty());
    EXPECT_EQ(plainSet(united), together);
    EXPECT_EQ(plainSet(fresh), without);
    EXPECT_FALSE(united.unite(b.bits));
    cut.intersect(b.bits);
    EXPECT_EQ(plainSet(cut), both);
    rest.subtract(a.bits);
    EXPECT_EQ(plainSet(rest), without);
    EXPECT_EQ(a.bits.intersects(b.bits), !both.empty());
    EXPECT_EQ(a.bits.includes(b.bits), without.empty());
    EXPECT_TRUE(united.includes(a.bits));
    if (!a.plain.empty()) {
      EXPECT_EQ(a.bits.first(), *a.plain.begin());
    }
  }
}

TEST(SparseBits, EqualSetsHaveEqualHashes) {
  Rng rng(8);
  for (int round = 0; round < 200; round++) {
    const Pair a = randomPair(rng);
    SparseBits other;
    for (auto bit = a.plain.rbegin(); bit != a.plain.rend(); ++bit) other.insert(*bit);
    EXPECT_EQ(a.bits, other);
    EXPECT_EQ(a.bits.hash(), other.hash());
    other.insert(1000000);
    EXPECT_FALSE(a.bits == other);
  }
}

} // namespace
} // namespace fathom::statics
