// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Assertions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace fathom::program {

bool reportsFailure(llvm::StringRef function) {
  constexpr const char *kFailing[] = {
      "__assert_fail",    "__fathom_assert_fail", "fathom_assertion_failed",
      "__VERIFIER_error", "reach_error",          "abort"};
  return std::any_of(std::begin(kFailing), std::end(kFailing),
                     [&](const char *name) { return function == name; });
}

const llvm::CallBase *failureIn(const llvm::BasicBlock &block) {
  const llvm::BasicBlock *at = &block;
  for (int hops = 0; hops < 3; ++hops) {
    for (const llvm::Instruction &inst : *at) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      const llvm::Function *callee = call->getCalledFunction();
      return callee && reportsFailure(callee->getName()) ? call : nullptr;
    }
    at = at->getSingleSuccessor();
    if (!at) return nullptr;
  }
  return nullptr;
}

std::optional<unsigned> failingSide(const llvm::BranchInst &branch) {
  if (branch.isUnconditional()) return std::nullopt;
  const bool first = failureIn(*branch.getSuccessor(0)),
             second = failureIn(*branch.getSuccessor(1));
  if (first == second) return std::nullopt;
  return first ? 0 : 1;
}

std::string assertionText(const llvm::CallBase &call) {
  llvm::StringRef text;
  if (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy() &&
      llvm::getConstantStringInfo(call.getArgOperand(0), text))
    return text.str();
  return call.getCalledFunction()->getName().str();
}

} // namespace fathom::program
