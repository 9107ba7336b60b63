// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Sizes.h"

#include "program/Load.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

namespace fathom::statics {

static std::string pathOf(const llvm::DISubprogram &function) {
  llvm::SmallString<128> path(function.getFilename());
  if (llvm::sys::path::is_relative(path)) {
    path = function.getDirectory();
    llvm::sys::path::append(path, function.getFilename());
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

Sizes sizesOf(const llvm::Module &module) {
  Sizes sizes;
  for (const llvm::Function &f : module) {
    if (f.isDeclaration()) continue;
    sizes.functions++;
    if (program::isOwnFunction(f)) {
      sizes.ownFunctions++;
      if (const llvm::DISubprogram *at = f.getSubprogram()) sizes.ownFiles.insert(pathOf(*at));
    }
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
