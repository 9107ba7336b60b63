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

} // namespace
} // namespace fathom::program
