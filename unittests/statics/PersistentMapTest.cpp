// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent maps against std::map: what is done to one copy never shows in another.
#include "statics/abstract/PersistentMap.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace fathom::statics::abstract {
namespace {

using Plain = std::map<uint32_t, int>;
struct Pair {
  PersistentMap<int> map;
  Plain plain;
};

void expectSame(const Pair &pair, uint32_t keys) {
  Plain seen;
  uint32_t last = 0;
  pair.map.forEach([&](uint32_t key, int value) {
    EXPECT_TRUE(seen.empty() || key > last);
    last = key;
    seen[key] = value;
  });
  ASSERT_EQ(seen, pair.plain);
  for (uint32_t key = 0; key < keys; ++key) {
    const int *found = pair.map.find(key);
    ASSERT_EQ(found != nullptr, pair.plain.count(key) == 1);
    if (found) ASSERT_EQ(*found, pair.plain.at(key));
  }
}

Pair merged(const Pair &a, const Pair &b) {
  // Where both have a value, the greater; what one has alone stays if it is odd (a), even (b).
  // Shared parts are not asked about, so the rules must agree with "stays as it is" there.
  Pair out;
  out.map = PersistentMap<int>::merge(
      a.map, b.map, [](uint32_t, int x, int y) { return std::optional<int>(std::max(x, y)); },
      [](uint32_t, int x) { return x % 2 ? std::optional<int>(x) : std::nullopt; },
      [](uint32_t, int y) { return y % 2 ? std::nullopt : std::optional<int>(y); });
  for (const auto &[key, x] : a.plain) {
    const auto y = b.plain.find(key);
    if (y != b.plain.end())
      out.plain[key] = std::max(x, y->second);
    else if (x % 2)
      out.plain[key] = x;
  }
  for (const auto &[key, y] : b.plain)
    if (!a.plain.count(key) && y % 2 == 0) out.plain[key] = y;
  return out;
}

TEST(PersistentMapTest, RandomOperationsOnCopies) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    const uint32_t keys = seed % 2 ? 20 : 300;
    std::vector<Pair> pairs(6);
    for (int step = 0; step < 1500; ++step) {
      Pair &pair = pairs[rng.below(pairs.size())];
      const uint32_t key = rng.below(keys);
      const int value = int(rng.below(50));
      switch (rng.below(8)) {
      case 0: pairs[rng.below(pairs.size())] = Pair(pair); break;
      case 1: pair = merged(pair, pairs[rng.below(pairs.size())]); break;
      case 2:
      case 3:
        pair.map.erase(key);
        pair.plain.erase(key);
        break;
      case 4:
        pair.map.update(key, [&](int &x) { x += value; });
        pair.plain[key] += value;
        break;
      default: pair.map.set(key, value); pair.plain[key] = value;
      }
    }
    for (const Pair &pair : pairs) expectSame(pair, keys);
  }
}

TEST(PersistentMapTest, CompareAsksWhereMapsDiffer) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    Pair a;
    for (int i = 0; i < 200; ++i) {
      const uint32_t key = rng.below(1000);
      a.map.set(key, int(key));
      a.plain[key] = int(key);
    }
    Pair b = a;
    for (int i = 0; i < 5; ++i) {
      const uint32_t key = rng.below(1000);
      b.map.set(key, -1);
      b.plain[key] = -1;
      const uint32_t gone = rng.below(1000);
      b.map.erase(gone);
      b.plain.erase(gone);
    }
    Plain seenA, seenB;
    uint32_t asked = 0;
    EXPECT_TRUE(
        PersistentMap<int>::compare(a.map, b.map, [&](uint32_t key, const int *x, const int *y) {
          ++asked;
          if (x) seenA[key] = *x;
          if (y) seenB[key] = *y;
          return true;
        }));
    // Every difference is shown, and little else.
    for (uint32_t key = 0; key < 1000; ++key) {
      const auto x = a.plain.find(key), y = b.plain.find(key);
      const bool differs = (x == a.plain.end()) != (y == b.plain.end()) ||
                           (x != a.plain.end() && x->second != y->second);
      if (differs) EXPECT_TRUE(seenA.count(key) || seenB.count(key)) << key;
    }
    EXPECT_LE(asked, 30u);
    EXPECT_FALSE(PersistentMap<int>::compare(
        a.map, b.map, [](uint32_t, const int *, const int *) { return false; }));
  }
}

} // namespace
} // namespace fathom::statics::abstract
