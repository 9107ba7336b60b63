// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Uncalled.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace fathom::campaign;
using Names = std::vector<std::string>;

static Names uncalledOf(const char *text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return module ? uncalledFunctions(*module) : Names{};
}

// Chains of calls from main count, cycles that nobody enters do not.
TEST(Uncalled, Chains) {
  EXPECT_EQ(uncalledOf(R"(
    define void @leaf() { ret void }
    define void @middle() { call void @leaf() ret void }
    define void @orphan() { call void @leaf() call void @other() ret void }
    define void @other() { call void @orphan() ret void }
    define i32 @main() { call void @middle() ret i32 0 })"),
            (Names{"orphan", "other"}));
}

// Whose address is somewhere may be called from anywhere: a table, an argument, a pointer that is
// stored, also by a function that itself is never called.
TEST(Uncalled, Addresses) {
  EXPECT_EQ(uncalledOf(R"(
    @table = global [1 x ptr] [ptr @inTable]
    declare void @atexit(ptr)
    define void @inTable() { call void @behindTable() ret void }
    define void @behindTable() { ret void }
    define void @handler() { ret void }
    define void @stored() { ret void }
    define void @orphan(ptr %p) { store ptr @stored, ptr %p ret void }
    define i32 @main() { call void @atexit(ptr @handler) ret i32 0 })"),
            (Names{"orphan"}));
}
