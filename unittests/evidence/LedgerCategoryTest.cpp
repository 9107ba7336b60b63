// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/LedgerCategory.h"

#include <gtest/gtest.h>

using namespace fathom::evidence;

TEST(LedgerCategory, IsFoundByItsNameUnlessItIsOfConfirm) {
  EXPECT_EQ(ledgerCategoryRows().size(), kLedgerCategories);
  for (const LedgerCategoryRow &row : ledgerCategoryRows()) {
    EXPECT_EQ(&rowOf(row.category), &row);
    const auto found = ledgerCategoryFromName(row.name);
    EXPECT_EQ(found.has_value(), !row.isOfConfirm) << row.name;
    if (found) EXPECT_EQ(*found, row.category);
  }
  EXPECT_FALSE(ledgerCategoryFromName(""));
  EXPECT_FALSE(ledgerCategoryFromName("bound-"));
}

TEST(LedgerCategory, HasASentenceForThePageUnlessItIsOfConfirm) {
  unsigned assumptions = 0;
  for (const LedgerCategoryRow &row : ledgerCategoryRows()) {
    EXPECT_EQ(row.sentence == nullptr, row.isOfConfirm) << row.name;
    if (!row.isAssumption) continue;
    ++assumptions;
    EXPECT_TRUE(std::string_view(row.sentence).starts_with("an assumption: ")) << row.name;
  }
  EXPECT_EQ(assumptions, 2u);
}
