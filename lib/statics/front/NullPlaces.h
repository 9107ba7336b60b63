// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the front: the line on which a variable that is a register was set to null. Its store
// is gone, and a phi has no place of its own: what is left is the debug record that promotion keeps
// (lib/program/PromoteLocals.cpp).
#ifndef FATHOM_STATICS_FRONT_NULLPLACES_H
#define FATHOM_STATICS_FRONT_NULLPLACES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace llvm {
class PHINode;
} // namespace llvm

namespace fathom::statics {

class NullPlaces {
public:
  /// Costs nothing before the first question.
  explicit NullPlaces(const llvm::Function &function) : function_(function) {}
  struct Found {
    const llvm::DILocation *at = nullptr; ///< nullptr: not known, or no variable (`c ? NULL : p`)
    const llvm::BasicBlock *block = nullptr;
  };
  /// Where the null pointer was assigned that the phi has when control comes from this block.
  Found find(const llvm::PHINode &phi, const llvm::BasicBlock &from);

private:
  using Key = std::pair<llvm::DebugVariable, const llvm::BasicBlock *>;
  void look();

  const llvm::Function &function_;
  std::optional<llvm::DominatorTree> tree_;
  /// What the variable has at the end of a block that assigns it: null since this place, or
  /// (nullptr) anything else.
  llvm::DenseMap<Key, const llvm::DILocation *> atEnd_;
};

} // namespace fathom::statics
#endif
