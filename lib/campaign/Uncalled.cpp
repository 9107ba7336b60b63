// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Uncalled.h"

#include "program/Load.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace fathom::campaign {

std::vector<std::string> uncalledFunctions(const Module &module) {
  SmallPtrSet<const Function *, 32> entered;
  std::vector<const Function *> todo;
  auto enter = [&](const Function &function) {
    if (!function.isDeclaration() && entered.insert(&function).second) todo.push_back(&function);
  };
  for (const Function &function : module)
    if (!program::isOwnFunction(function) || function.hasAddressTaken() ||
        function.getName() == "main")
      enter(function);
  while (!todo.empty()) {
    const Function *function = todo.back();
    todo.pop_back();
    for (const Instruction &instruction : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction()) enter(*callee);
  }
  std::vector<std::string> names;
  for (const Function &function : module)
    if (!function.isDeclaration() && program::isOwnFunction(function) && !entered.count(&function))
      names.push_back(function.getName().str());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace fathom::campaign
