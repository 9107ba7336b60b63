// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Sizes.h"

#include "program/Load.h"

#include "llvm/IR/IntrinsicInst.h"

namespace fathom::statics {

Sizes sizesOf(const llvm::Module &module) {
  Sizes sizes;
  for (const llvm::Function &f : module) {
    if (f.isDeclaration()) continue;
    sizes.functions++;
    sizes.ownFunctions += program::isOwnFunction(f);
    sizes.blocks += f.size();
    for (const llvm::BasicBlock &block : f)
      for (const llvm::Instruction &i : block)
        sizes.instructions += !llvm::isa<llvm::DbgInfoIntrinsic>(i);
  }
  for (const llvm::GlobalVariable &g : module.globals())
    sizes.globals += !g.isDeclaration() && !g.getName().starts_with("llvm.");
  return sizes;
}

} // namespace fathom::statics
