// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose code is it, and which number does a branch have. Both are properties of the program's
// bitcode alone, so that the engine and every native variant agree.
#include "program/Load.h"
#include "program/Prepare.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace llvm;

namespace fathom::program {

bool isOwnFunction(const Function &function) {
  if (function.hasFnAttribute("fathom-libc") || function.hasFnAttribute("fathom-runtime"))
    return false;
  if (function.getName().starts_with("__fathom_")) return false;
  if (const DISubprogram *sp = function.getSubprogram()) {
    // A function of the C++ library's headers, which the program's own file has a copy of.
    if (const DIFile *file = sp->getFile(); file && file->getFilename().starts_with("/fathom-libc"))
      return false;
    if (const DICompileUnit *unit = sp->getUnit()) {
      StringRef directory = unit->getDirectory();
      if (directory.starts_with("/fathom-libc") || directory.starts_with("/fathom-runtime"))
        return false;
    }
  }
  return true;
}

bool isOwnBranch(const Instruction &terminator) {
  return isOwnFunction(*terminator.getFunction()) && !isUnwindBranch(terminator);
}

bool isLibrary(const Module &module) {
  for (const char *name : {"main", "LLVMFuzzerTestOneInput"})
    if (const Function *f = module.getFunction(name); f && !f->isDeclaration() && isOwnFunction(*f))
      return false;
  return true;
}

bool isFuzzHarness(const Module &module) {
  const Function *entry = module.getFunction("LLVMFuzzerTestOneInput");
  const Function *main = module.getFunction("main");
  return entry && !entry->isDeclaration() && main && !main->isDeclaration() &&
         !isOwnFunction(*main);
}

void forEachBranch(Module &module, const std::function<void(Instruction &, uint32_t)> &visit) {
  uint32_t next = 0;
  for (const bool own : {true, false})
    for (Function &function : module) {
      if (function.isDeclaration()) continue;
      const bool isOwn = isOwnFunction(function);
      if (own && !isOwn) continue;
      for (BasicBlock &block : function) {
        Instruction *terminator = block.getTerminator();
        auto *branch = dyn_cast<BranchInst>(terminator);
        if (!isa<SwitchInst>(terminator) && !(branch && branch->isConditional())) continue;
        if (own == (isOwn && !isUnwindBranch(*terminator))) visit(*terminator, next++);
      }
    }
}

std::vector<uint32_t> switchSides(const SwitchInst &inst) {
  std::vector<uint32_t> sides;
  DenseMap<const BasicBlock *, uint32_t> seen;
  for (unsigned i = 0; i < inst.getNumSuccessors(); ++i)
    sides.push_back(seen.try_emplace(inst.getSuccessor(i), seen.size()).first->second);
  return sides;
}

uint32_t numSides(const Instruction &terminator) {
  auto *inst = dyn_cast<SwitchInst>(&terminator);
  if (!inst) return 2;
  std::vector<uint32_t> sides = switchSides(*inst);
  return *std::max_element(sides.begin(), sides.end()) + 1;
}

} // namespace fathom::program
