// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/NullPlaces.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace fathom::statics {

void NullPlaces::look() {
  tree_.emplace(const_cast<llvm::Function &>(function_));
  for (const BasicBlock &block : function_)
    for (const Instruction &inst : block)
      for (const DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
        const DILocation *&place = atEnd_[{DebugVariable(&record), &block}];
        if (record.hasArgList() ||
            !isa_and_nonnull<ConstantPointerNull>(record.getVariableLocationOp(0)))
          place = nullptr;
        else if (record.getDebugLoc().getLine() != 0) // others tell the same once more
          place = record.getDebugLoc();
      }
}

/// The variable that the phi is the value of.
static std::optional<DebugVariable> variableOf(const PHINode &phi) {
  const Instruction *first = phi.getParent()->getFirstNonPHI();
  if (!first) return std::nullopt;
  for (const DbgVariableRecord &record : filterDbgVars(first->getDbgRecordRange()))
    if (!record.hasArgList() && record.getVariableLocationOp(0) == &phi)
      return DebugVariable(&record);
  return std::nullopt;
}

NullPlaces::Found NullPlaces::find(const PHINode &phi, const BasicBlock &from) {
  const std::optional<DebugVariable> variable = variableOf(phi);
  if (!variable) return {};
  if (!tree_) look();
  // Were it assigned between a block and its dominator, it would be another phi there.
  for (const DomTreeNode *node = tree_->getNode(&from); node; node = node->getIDom())
    if (const auto known = atEnd_.find({*variable, node->getBlock()}); known != atEnd_.end())
      return {known->second, node->getBlock()};
  return {};
}

} // namespace fathom::statics
