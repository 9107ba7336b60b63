// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both ways to make exceptions ordinary control flow share (LowerExceptions.cpp,
// SeparateExceptions.cpp).
#ifndef FATHOM_PROGRAM_EXCEPTIONCODE_H
#define FATHOM_PROGRAM_EXCEPTIONCODE_H

#include "llvm/IR/IRBuilder.h"

namespace fathom::program {

/// What the builder makes next stands there, or nowhere in particular in the function: a call needs
/// a place if its function has one.
void placeAt(llvm::IRBuilder<> &builder, llvm::DebugLoc at);
/// isUnwindBranch (Prepare.h) is true of it from now on.
void markUnwindBranch(llvm::Instruction &terminator);

} // namespace fathom::program
#endif
