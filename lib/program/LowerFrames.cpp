// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program asks about its frames: __builtin_setjmp and __builtin_longjmp, which become calls
// of the engine's functions of that kind (the buffer of five words has room for what those keep in
// it), and __builtin_frame_address(0), which becomes the address of two words in the frame's
// memory: of the saved frame pointer and the return address natively, of zeros here.
#include "program/Prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {
namespace {

class FrameLowering {
public:
  explicit FrameLowering(Module &module) : module_(module) {}

  void run(Function &function) {
    SmallVector<IntrinsicInst *, 4> found;
    for (Instruction &inst : instructions(function))
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) found.push_back(intrinsic);
    words_ = nullptr;
    for (IntrinsicInst *inst : found)
      if (Value *value = lower(*inst)) {
        if (!inst->getType()->isVoidTy()) inst->replaceAllUsesWith(value);
        inst->eraseFromParent();
      }
  }

private:
  Value *lower(IntrinsicInst &inst) {
    IRBuilder<> b(&inst);
    switch (inst.getIntrinsicID()) {
    case Intrinsic::eh_sjlj_setjmp: {
      FunctionCallee callee =
          module_.getOrInsertFunction("__fathom_setjmp", b.getInt32Ty(), b.getPtrTy());
      cast<Function>(callee.getCallee())->addFnAttr(Attribute::ReturnsTwice);
      CallInst *call = b.CreateCall(callee, inst.getArgOperand(0));
      call->addFnAttr(Attribute::ReturnsTwice);
      return call;
    }
    case Intrinsic::eh_sjlj_longjmp:
      return b.CreateCall(module_.getOrInsertFunction("__fathom_longjmp", b.getVoidTy(),
                                                      b.getPtrTy(), b.getInt32Ty()),
                          {inst.getArgOperand(0), b.getInt32(1)});
    case Intrinsic::frameaddress:
      return cast<ConstantInt>(inst.getArgOperand(0))->isZero() ? words(*inst.getFunction())
                                                                : nullptr;
    case Intrinsic::addressofreturnaddress:
      return b.CreateConstGEP1_32(b.getInt64Ty(), words(*inst.getFunction()), 1);
    default: return nullptr;
    }
  }

  Value *words(Function &function) {
    if (words_) return words_;
    IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
    auto *type = ArrayType::get(b.getInt64Ty(), 2);
    AllocaInst *words = b.CreateAlloca(type, nullptr, "frame");
    words->setAlignment(Align(16));
    b.CreateStore(ConstantAggregateZero::get(type), words);
    return words_ = words;
  }

  Module &module_;
  Value *words_ = nullptr; ///< of the function at hand, once it asked
};

} // namespace

void lowerFrames(Module &module) {
  for (Intrinsic::ID id : {Intrinsic::eh_sjlj_setjmp, Intrinsic::eh_sjlj_longjmp,
                           Intrinsic::frameaddress, Intrinsic::addressofreturnaddress})
    if (StringRef base = Intrinsic::getBaseName(id);
        any_of(module, [&](const Function &f) { return f.getName().starts_with(base); })) {
      FrameLowering lowering(module);
      for (Function &function : module) lowering.run(function);
      return;
    }
}

} // namespace fathom::program
