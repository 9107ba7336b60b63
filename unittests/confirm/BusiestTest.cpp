// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Busiest.h"
#include "evidence/LedgerCategory.h"

#include <gtest/gtest.h>

using fathom::evidence::LedgerCategory;

namespace fathom::confirm {
namespace {

TEST(Busiest, FunctionsHaveTheNamesThatUsersKnow) {
  program::Program program;
  const auto add = [&](const char *name) {
    program::FunctionCode f;
    f.id = static_cast<uint32_t>(program.functions.size());
    f.name = name;
    program.functionIndex[name] = f.id;
    program.functions.push_back(f);
    return f.id;
  };
  const uint32_t plain = add("strlen"), inner = add("__stpcpy"), model = add("__fathom_sys_open"),
                 assertion = add("__assert_fail");
  program.functions[model].isModel = true;
  for (const char *alias : {"stpcpy", "xpg_stpcpy", "_stpcpy"})
    program.functionIndex[alias] = inner;
  EXPECT_EQ(publicName(program, plain), "strlen");
  EXPECT_EQ(publicName(program, inner), "stpcpy");
  EXPECT_EQ(publicName(program, model), "the environment model");
  EXPECT_EQ(publicName(program, assertion), "__assert_fail");
}

TEST(Busiest, WhereMostWasDecided) {
  explore::Ledger ledger;
  EXPECT_EQ(busiestText(ledger), "");
  ledger.add(kDecidesCategory, "f", "", 3);
  ledger.add(kDecidesCategory, "strlen, which g calls", "", 5);
  ledger.add(LedgerCategory::BoundDepth, "f", "", 9);
  EXPECT_EQ(busiestText(ledger), "5 of 8 decisions were made in strlen, which g calls");
}

} // namespace
} // namespace fathom::confirm
