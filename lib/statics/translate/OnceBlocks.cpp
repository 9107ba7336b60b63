// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/translate/OnceBlocks.h"

#include "program/Load.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace fathom::statics {

bool OnceBlocks::isInLoop(const llvm::BasicBlock &block) {
  const llvm::Function *function = block.getParent();
  if (looked_.insert(function).second)
    for (auto at = llvm::scc_begin(function); !at.isAtEnd(); ++at)
      if (at.hasCycle())
        for (const llvm::BasicBlock *member : *at) inLoop_.insert(member);
  return inLoop_.contains(&block);
}

bool OnceBlocks::isCalledOnce(const llvm::Function &function) {
  const auto [known, isNew] = once_.try_emplace(&function, false); // in its own calls: not once
  if (!isNew) return known->second;
  const llvm::CallBase *only = nullptr;
  for (const llvm::Use &use : function.uses()) {
    // The code that starts the program calls an entry, or it is in the list of constructors.
    const auto *inst = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    const bool isOwn = inst && program::isOwnFunction(*inst->getFunction());
    if (!isOwn && entries_.contains(&function)) continue;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || only) return false;
    only = call;
  }
  bool once = entries_.contains(&function);
  if (only) once = !once && runs(*only->getParent());
  return once_[&function] = once;
}

bool OnceBlocks::runs(const llvm::BasicBlock &block) {
  return isCalledOnce(*block.getParent()) && !isInLoop(block);
}

} // namespace fathom::statics
