// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/PureFunctions.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace fathom::program {
namespace {

TEST(PureFunctions, AVariableBehindACycleOfConstantsCounts) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(R"(
@changes = global i32 0
@first = constant [2 x ptr] [ptr @second, ptr @changes]
@second = constant [1 x ptr] [ptr @first]
@left = constant [1 x ptr] [ptr @right]
@right = constant [1 x ptr] [ptr @left]
define ptr @usesFirst() {
  %p = load ptr, ptr @first
  ret ptr %p
}
define ptr @usesSecond() {
  %p = load ptr, ptr @second
  ret ptr %p
}
define ptr @usesLeft() {
  %p = load ptr, ptr @left
  ret ptr %p
}
)",
                                          problem, context);
  ASSERT_TRUE(module) << problem.getMessage().str();
  const auto pure = pureFunctions(*module);
  auto isPure = [&](const char *name) { return pure.contains(module->getFunction(name)); };
  EXPECT_FALSE(isPure("usesFirst"));
  EXPECT_FALSE(isPure("usesSecond")) << "it leads to @changes, by @first";
  EXPECT_TRUE(isPure("usesLeft"));
}

} // namespace
} // namespace fathom::program
