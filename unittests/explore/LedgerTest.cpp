// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Missing files whose names a program made up: which of them the ledger lists does not depend on
// the worker that met them, or on time.
#include "evidence/LedgerCategory.h"
#include "explore/Results.h"

#include "gtest/gtest.h"

#include <algorithm>

using fathom::evidence::LedgerCategory;

namespace fathom::explore {
namespace {

std::string nameOf(int k) { return "/made/" + std::to_string(1000 + k); }

void meet(Ledger &ledger, int k) {
  ledger.add(LedgerCategory::MissingFile, k % 3 ? "a.c:1 in f" : "a.c:2 in g", nameOf(k));
}

TEST(Ledger, NamesTheSameMissingFilesInEveryOrder) {
  constexpr int kNames = 200, kOthers = kNames - static_cast<int>(Ledger::kMaxNamed);
  Ledger up, down, twice, parts[3];
  for (int k = 0; k < kNames; ++k) {
    meet(up, k);
    meet(down, kNames - 1 - k);
    meet(parts[k % 7 % 3], k);
  }
  for (const Ledger &part : parts) add(twice, part);
  EXPECT_EQ(up.entries(), down.entries());
  EXPECT_EQ(up.entries(), twice.entries());
  EXPECT_EQ(up.unnamed(), down.unnamed());
  EXPECT_EQ(up.unnamed(), twice.unnamed());
  EXPECT_EQ(up.unnamed().size(), static_cast<size_t>(kOthers));
  EXPECT_EQ(up.entries().count({LedgerCategory::MissingFile, "a.c:2 in g", nameOf(0)}), 1u);
  EXPECT_EQ(up.entries().count({LedgerCategory::MissingFile, "a.c:2 in g", nameOf(kNames - 2)}),
            0u);
  uint64_t others = 0;
  for (const char *place : {"a.c:1 in f", "a.c:2 in g"})
    others += up.entries().at({LedgerCategory::MissingFile, place, kOtherNames});
  EXPECT_EQ(others, static_cast<uint64_t>(kOthers));
}

TEST(Ledger, CountsEachTimeThatANameIsMissed) {
  Ledger ledger;
  for (int round = 0; round < 2; ++round)
    for (int k = 99; k >= 0; --k) meet(ledger, k);
  uint64_t all = 0;
  for (const auto &[key, count] : ledger.entries()) all += count;
  EXPECT_EQ(all, 200u);
  EXPECT_EQ(ledger.entries().at({LedgerCategory::MissingFile, "a.c:2 in g", nameOf(63)}), 2u);
  EXPECT_EQ(ledger.unnamed().size(), 36u) << "each name once";
  EXPECT_TRUE(ledger.isComplete());
}

TEST(Ledger, BoundsWhatItKeepsOfNames) {
  Ledger ledger;
  for (uint64_t hash = 10'000; hash-- > 0;) ledger.addUnnamed(hash);
  EXPECT_EQ(ledger.unnamed().size(), Ledger::kMaxUnnamed);
  EXPECT_EQ(*ledger.unnamed().rbegin(), Ledger::kMaxUnnamed - 1);
}

} // namespace
} // namespace fathom::explore
