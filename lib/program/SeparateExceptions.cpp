// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions for analyses that join what a function does. If a call returned by an exception, as
// lowerExceptions has it, a caller could not tell the heap of this return from that of the other,
// and each block that the call makes would seem lost. So the landing pad is entered from *before*
// the call, by a choice of which nothing is known: with what held there. What the call did until it
// threw is not seen, and neither is what comes behind a function that an exception leaves.
#include "program/ExceptionCode.h"
#include "program/MayThrow.h"
#include "program/Prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace fathom::program {
namespace {

class Separation {
public:
  explicit Separation(Module &module)
      : context_(module.getContext()),
        throws_(module.getOrInsertFunction("__fathom_cxx_throws", Type::getInt32Ty(context_))),
        caught_(
            module.getOrInsertFunction("__fathom_cxx_caught", PointerType::getUnqual(context_))),
        mayThrow_(module, throwerOf(module)) {}

  void run(Function &function) {
    SmallVector<InvokeInst *> invokes;
    SmallVector<Instruction *> others;
    for (Instruction &i : instructions(function)) {
      if (auto *invoke = dyn_cast<InvokeInst>(&i)) invokes.push_back(invoke);
      if (isa<LandingPadInst, ResumeInst>(i)) others.push_back(&i);
    }
    for (InvokeInst *invoke : invokes) lower(*invoke);
    for (Instruction *i : others) {
      IRBuilder<> builder(i);
      placeAt(builder, i->getDebugLoc());
      if (auto *pad = dyn_cast<LandingPadInst>(i)) {
        Value *pair = builder.CreateInsertValue(PoisonValue::get(pad->getType()),
                                                builder.CreateCall(caught_), 0);
        pair = builder.CreateInsertValue(pair, builder.CreateCall(throws_), 1);
        pad->replaceAllUsesWith(pair);
      } else {
        builder.CreateUnreachable();
      }
      i->eraseFromParent();
    }
    function.setPersonalityFn(nullptr);
  }

private:
  static const Function *throwerOf(const Module &module) {
    for (const char *name : {"_Unwind_RaiseException", "__cxa_throw"})
      if (const Function *f = module.getFunction(name)) return f;
    return nullptr;
  }

  void lower(InvokeInst &invoke) {
    BasicBlock *block = invoke.getParent(), *normal = invoke.getNormalDest(),
               *unwound = invoke.getUnwindDest();
    IRBuilder<> builder(&invoke);
    placeAt(builder, invoke.getDebugLoc());
    if (mayThrow_.call(invoke)) {
      BasicBlock *calls = block->splitBasicBlock(invoke.getIterator(), block->getName() + ".calls");
      Instruction *jump = block->getTerminator();
      builder.SetInsertPoint(jump);
      placeAt(builder, invoke.getDebugLoc());
      Value *throws = builder.CreateIsNotNull(builder.CreateCall(throws_));
      markUnwindBranch(*builder.CreateCondBr(throws, unwound, calls));
      jump->eraseFromParent();
      // The split made the new block the one that the landing pad comes from.
      for (PHINode &phi : unwound->phis()) phi.replaceIncomingBlockWith(calls, block);
      builder.SetInsertPoint(&invoke);
      placeAt(builder, invoke.getDebugLoc());
    } else {
      unwound->removePredecessor(block);
    }
    CallInst *call = builder.Insert(createCallMatchingInvoke(&invoke));
    call->takeName(&invoke);
    call->setDebugLoc(builder.getCurrentDebugLocation());
    builder.CreateBr(normal);
    invoke.replaceAllUsesWith(call);
    invoke.eraseFromParent();
  }

  LLVMContext &context_;
  FunctionCallee throws_, caught_; ///< of their results nothing is known
  MayThrow mayThrow_;
};

} // namespace

void separateExceptions(Module &module) {
  if (none_of(module, [](const Function &f) { return f.hasPersonalityFn(); })) return;
  Separation separation(module);
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasPersonalityFn()) separation.run(function);
}

} // namespace fathom::program
