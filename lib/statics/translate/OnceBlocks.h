// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that control comes to at most once in an execution. What such a block allocates is one
// object, and a write to it replaces what was there.
#ifndef FATHOM_STATICS_TRANSLATE_ONCEBLOCKS_H
#define FATHOM_STATICS_TRANSLATE_ONCEBLOCKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace fathom::statics {

class OnceBlocks {
public:
  /// \param entry  is called once from outside, at the start, and by the program if it calls it.
  void addEntry(const llvm::Function &entry) { entries_.insert(&entry); }
  /// Does the block run once at most? True outside of loops, in a function that is an entry or is
  /// called by one such block only. Cost: O(code of the function and of its callers), the first
  /// time.
  bool runs(const llvm::BasicBlock &block);
  /// Can control come there again while its function is active? Cost: as above.
  bool isInLoop(const llvm::BasicBlock &block);

private:
  bool isCalledOnce(const llvm::Function &function);

  llvm::DenseSet<const llvm::Function *> entries_, looked_;
  llvm::DenseMap<const llvm::Function *, bool> once_;
  llvm::DenseSet<const llvm::BasicBlock *> inLoop_; ///< of the functions in looked_
};

} // namespace fathom::statics
#endif
