// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/FailAllocations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cerrno>

using namespace llvm;

namespace fathom::program {

/// As explore/builtin/AllocatorBuiltins.cpp counts them.
static constexpr const char *kAllocators[] = {
    "malloc",         "calloc",   "realloc",       "__libc_malloc",  "__libc_calloc",
    "__libc_realloc", "memalign", "aligned_alloc", "posix_memalign", "__libc_memalign"};

static void setErrno(Module &module, IRBuilder<> &b) {
  Function *place = module.getFunction("__errno_location");
  if (!place || place->isDeclaration() || place->arg_size() ||
      !place->getReturnType()->isPointerTy())
    return; // a program that never looks at it
  b.CreateStore(b.getInt32(ENOMEM), b.CreateCall(place));
}

static void putBefore(Function &allocator) {
  Module &module = *allocator.getParent();
  LLVMContext &context = module.getContext();
  Type *result = allocator.getReturnType();
  Function *function = Function::Create(allocator.getFunctionType(), GlobalValue::InternalLinkage,
                                        "__fathom_allocate." + allocator.getName(), module);
  allocator.replaceAllUsesWith(function);
  auto *entry = BasicBlock::Create(context, "", function),
       *failing = BasicBlock::Create(context, "fails", function),
       *calling = BasicBlock::Create(context, "calls", function);
  IRBuilder<> b(entry);
  FunctionCallee begins = module.getOrInsertFunction("__fathom_allocation_begins", b.getInt32Ty()),
                 ends = module.getOrInsertFunction("__fathom_allocation_ends", b.getVoidTy());
  b.CreateCondBr(b.CreateIsNotNull(b.CreateCall(begins)), failing, calling);
  b.SetInsertPoint(failing);
  if (result->isPointerTy()) {
    setErrno(module, b);
    b.CreateRet(ConstantPointerNull::get(cast<PointerType>(result)));
  } else {
    b.CreateRet(ConstantInt::get(result, ENOMEM));
  }
  b.SetInsertPoint(calling);
  SmallVector<Value *, 3> arguments;
  for (Argument &a : function->args()) arguments.push_back(&a);
  Value *made = b.CreateCall(&allocator, arguments);
  b.CreateCall(ends);
  b.CreateRet(made);
}

void letAllocationsFail(Module &module) {
  for (const char *name : kAllocators) {
    Function *allocator = module.getFunction(name);
    if (!allocator || !allocator->isDeclaration() || allocator->use_empty() ||
        allocator->isVarArg())
      continue;
    if (Type *result = allocator->getReturnType(); result->isPointerTy() || result->isIntegerTy())
      putBefore(*allocator);
  }
}

} // namespace fathom::program
