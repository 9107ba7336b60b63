// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/ThinWrapper.h"

#include "program/Load.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace fathom::program {

namespace {

constexpr unsigned kMaxInstructions = 60; ///< of unoptimised code: about ten lines
constexpr unsigned kMaxNested = 4;        ///< xcalloc calls xnmalloc, which calls xmalloc

enum class Memory { None, Allocates, Frees };

Memory libraryRole(StringRef name) {
  return StringSwitch<Memory>(name)
      .Cases("malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "strdup",
             "strndup", Memory::Allocates)
      .Case("free", Memory::Frees)
      .Default(Memory::None);
}

bool isShort(const Function &f) {
  unsigned count = 0;
  for (const Instruction &instruction : instructions(f))
    if (!isa<DbgInfoIntrinsic>(instruction) && ++count > kMaxInstructions) return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> backEdges;
  FindFunctionBackedges(f, backEdges);
  return backEdges.empty();
}

bool isInHeader(const Function &f) {
  const DISubprogram *program = f.getSubprogram();
  return f.hasLocalLinkage() && program && program->getFilename().ends_with(".h");
}

Memory roleOf(const Function &f, unsigned depth);

/// What a call of it does; of a function through a pointer nothing is known.
Memory roleOf(const CallBase &call, unsigned depth) {
  const Function *callee = call.getCalledFunction();
  if (!callee) return Memory::None;
  if (callee->isDeclaration() || !isOwnFunction(*callee)) return libraryRole(callee->getName());
  return roleOf(*callee, depth + 1);
}

/// The values that one is on some way: through phis, selections, and a variable that is a local.
void collectOrigins(const Value *value, SmallPtrSetImpl<const Value *> &origins) {
  SmallVector<const Value *, 8> open{value};
  SmallPtrSet<const Value *, 16> seen;
  while (!open.empty()) {
    const Value *v = open.pop_back_val()->stripPointerCasts();
    if (!seen.insert(v).second) continue;
    if (const auto *phi = dyn_cast<PHINode>(v)) {
      open.append(phi->op_begin(), phi->op_end());
    } else if (const auto *select = dyn_cast<SelectInst>(v)) {
      open.append({select->getTrueValue(), select->getFalseValue()});
    } else if (const auto *load = dyn_cast<LoadInst>(v);
               load && isa<AllocaInst>(load->getPointerOperand())) {
      for (const User *user : load->getPointerOperand()->users())
        if (const auto *store = dyn_cast<StoreInst>(user)) open.push_back(store->getValueOperand());
    } else {
      origins.insert(v);
    }
  }
}

/// Nothing but what an allocator gave, null and parameters.
bool returnsAllocated(const Function &f, unsigned depth) {
  SmallPtrSet<const Value *, 8> returned;
  for (const BasicBlock &block : f)
    if (const auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      if (const Value *value = end->getReturnValue()) collectOrigins(value, returned);
  bool allocates = false;
  for (const Value *value : returned) {
    const auto *call = dyn_cast<CallBase>(value);
    if (call && roleOf(*call, depth) == Memory::Allocates)
      allocates = true;
    else if (!isa<Constant>(value) && !isa<Argument>(value))
      return false;
  }
  if (!allocates) return false;
  for (const Instruction &instruction : instructions(f))
    if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      SmallPtrSet<const Value *, 8> to;
      collectOrigins(store->getPointerOperand()->stripInBoundsOffsets(), to);
      if (any_of(to, [&](const Value *v) { return isa<CallBase>(v); })) return false;
    }
  return true;
}

bool onlyFrees(const Function &f, unsigned depth) {
  bool frees = false;
  for (const Instruction &instruction : instructions(f)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || isa<IntrinsicInst>(call)) continue;
    if (roleOf(*call, depth) == Memory::Frees) {
      SmallPtrSet<const Value *, 8> freed;
      if (call->arg_size()) collectOrigins(call->getArgOperand(0), freed);
      if (none_of(freed, [](const Value *v) { return isa<Argument>(v); })) return false;
      frees = true;
    } else if (const Function *callee = call->getCalledFunction();
               !callee || (!callee->isDeclaration() && isOwnFunction(*callee))) {
      return false;
    }
  }
  return frees;
}

Memory roleOf(const Function &f, unsigned depth) {
  if (f.isDeclaration() || !isOwnFunction(f) || depth > kMaxNested || !isShort(f))
    return Memory::None;
  if (f.getReturnType()->isPointerTy() && returnsAllocated(f, depth)) return Memory::Allocates;
  return onlyFrees(f, depth) ? Memory::Frees : Memory::None;
}

} // namespace

bool isThinWrapper(const Function &function) {
  if (function.isDeclaration() || !isOwnFunction(function) || function.getName() == "main")
    return false;
  return (isInHeader(function) && isShort(function)) || roleOf(function, 0) != Memory::None;
}

} // namespace fathom::program
