// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's memcpy, called as a function (through a pointer, or without builtins), does not
// notice that its two ranges overlap. It gets a check at its beginning, as the engine's own
// operation has (MemoryAccess::memOp).
#include "program/Prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace fathom::program {

void addOverlapCheck(Module &module) {
  Function *copy = module.getFunction("memcpy");
  if (!copy || copy->isDeclaration() || !copy->hasFnAttribute("fathom-libc")) return;
  Type *pointer = PointerType::getUnqual(module.getContext());
  Type *size = Type::getInt64Ty(module.getContext());
  if (copy->getFunctionType() != FunctionType::get(pointer, {pointer, pointer, size}, false))
    return;
  Instruction *first = &*copy->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> builder(first);
  Value *to = builder.CreatePtrToInt(copy->getArg(0), size),
        *from = builder.CreatePtrToInt(copy->getArg(1), size), *n = copy->getArg(2);
  Value *apart = builder.CreateSub(to, from);
  Value *isNear = builder.CreateOr(builder.CreateICmpULT(apart, n),
                                   builder.CreateICmpULT(builder.CreateNeg(apart), n));
  Value *overlaps = builder.CreateAnd(builder.CreateIsNotNull(apart), isNear);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(overlaps, first, /*Unreachable=*/false));
  FunctionCallee report = module.getOrInsertFunction(
      "__fathom_report_bug", FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false));
  CallInst *call =
      builder.CreateCall(report, {builder.CreateGlobalString("bad-call"),
                                  builder.CreateGlobalString("memcpy with ranges that overlap")});
  call->setDebugLoc(first->getDebugLoc());
}

} // namespace fathom::program
