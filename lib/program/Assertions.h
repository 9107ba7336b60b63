// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions in LLVM IR: branches that lead straight to a call which reports a failure.
#ifndef FATHOM_PROGRAM_ASSERTIONS_H
#define FATHOM_PROGRAM_ASSERTIONS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class BasicBlock;
class BranchInst;
class CallBase;
} // namespace llvm

namespace fathom::program {

/// assert's function, and those of test harnesses and competitions; abort.
bool reportsFailure(llvm::StringRef function);

/// The call that reports a failed assertion, if the block leads straight to one.
const llvm::CallBase *failureIn(const llvm::BasicBlock &block);

/// Which side of a branch fails (0: of a condition that holds), if exactly one does.
std::optional<unsigned> failingSide(const llvm::BranchInst &branch);

/// What the assertion says, or the function's name.
std::string assertionText(const llvm::CallBase &failure);

} // namespace fathom::program
#endif
