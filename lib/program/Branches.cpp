// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose code is it, and which number does a branch have. Both are properties of the program's bitcode alone, so that
// the engine and every native variant agree.
#include "program/Load.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace fathom::program {

bool isOwnFunction(const Function &function) {
  if (function.hasFnAttribute("fathom-libc") || function.hasFnAttribute("fathom-runtime")) return false;
  if (function.getName().starts_with("__fathom_")) return false;
  if (const DISubprogram *sp = function.getSubprogram())
    if (const DICompileUnit *unit = sp->getUnit()) {
      StringRef directory = unit->getDirectory();
      if (directory.starts_with("/fathom-libc") || directory.starts_with("/fathom-runtime")) return false;
    }
  return true;
}

void forEachBranch(Module &module, const std::function<void(Instruction &, uint32_t)> &visit) {
  uint32_t next = 0;
  for (const bool own : {true, false})
    for (Function &function : module) {
      if (function.isDeclaration() || isOwnFunction(function) != own) continue;
      for (BasicBlock &block : function) {
        Instruction *terminator = block.getTerminator();
        auto *branch = dyn_cast<BranchInst>(terminator);
        if (isa<SwitchInst>(terminator) || (branch && branch->isConditional())) visit(*terminator, next++);
      }
    }
}

} // namespace fathom::program
