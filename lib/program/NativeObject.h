// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every native variant of a program is made with, whatever it is instrumented for: names of
// source files, hooks, edges of switches, and an object file in the end.
#ifndef FATHOM_PROGRAM_NATIVEOBJECT_H
#define FATHOM_PROGRAM_NATIVEOBJECT_H

#include "program/BranchLayout.h"

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class DILocation;
class Instruction;
class Module;
class SwitchInst;
} // namespace llvm

namespace fathom::program {

/// As the decoder names files (Program::files).
std::string sourceFile(const llvm::DILocation *loc);

/// The branches of the program's own code; adds them to `layout`, whose numbers they are.
/// \returns their terminators, by number.
std::vector<llvm::Instruction *> collectBranches(llvm::Module &module, BranchLayout &layout);

/// cpuid reports a processor without features, as in the engine: programs with hand-vectorised
/// variants take the portable one.
void hideProcessor(llvm::Module &module);

/// `function` (void, one pointer) is called first of all, with the stack as the kernel made it.
/// Nothing happens in a module without libc's start-up code.
void callAtStart(llvm::Module &module, const char *function);

/// Gives each edge of the switch a block of its own, because cases can share a target.
/// \returns (block, successor index), in the order of successors.
std::vector<std::pair<llvm::BasicBlock *, unsigned>> splitSwitchEdges(llvm::SwitchInst &inst);

/// Machine code for x86-64, not position independent, in which reaching `unreachable` traps.
/// Errors: the file cannot be written.
llvm::Error emitObject(llvm::Module &module, const std::string &file, llvm::CodeGenOptLevel level);

} // namespace fathom::program
#endif
