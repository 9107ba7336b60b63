// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes before decoding, on modules that no compiler makes but that may be given to Fathom.
#include "program/AssemblyText.h"
#include "program/Prepare.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace fathom::program {
namespace {

TEST(AssemblyText, IsNormalized) {
  EXPECT_EQ(normalizedAssembly("addq $5,${1:q}\n\tadcq $3,${0:q}"), "addq $5,$1;adcq $3,$0");
  EXPECT_EQ(normalizedAssembly("nop; mov ${0"), "nop;mov ${0") << "an operand without an end";
  EXPECT_EQ(normalizedAssembly("${"), "${");
}

TEST(WideIntegers, MayBeUsedBeforeTheyAreDefinedWhereNothingLeads) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(R"(
declare { i256, i1 } @llvm.uadd.with.overflow.i256(i256, i256)
define void @f(ptr %p) {
  ret void
use:
  %sum = extractvalue { i256, i1 } %both, 0
  %over = extractvalue { i256, i1 } %both, 1
  store i256 %sum, ptr %p
  br i1 %over, label %use, label %definition
definition:
  %both = call { i256, i1 } @llvm.uadd.with.overflow.i256(i256 1, i256 2)
  br label %use
}
)",
                                          problem, context);
  ASSERT_TRUE(module) << problem.getMessage().str();
  lowerWideIntegers(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  for (const llvm::Instruction &inst : llvm::instructions(*module->getFunction("f")))
    EXPECT_FALSE(inst.getType()->isIntegerTy(256));
}

} // namespace
} // namespace fathom::program
