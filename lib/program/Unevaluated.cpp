// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that C does not evaluate. __builtin_constant_p, __builtin_assume and
// __builtin_object_size ask about an expression; what clang makes of it for an optimiser to look at
// includes its loads, which would be reads of the program's. In code that is not optimised the
// answer does not depend on them, so it is put in and they are taken out. Every question of a size
// is answered here, for the engine and the native variants alike.
#include "program/Prepare.h"
#include "program/SourceLines.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace fathom::program {

/// The answer; null: an assumption asks nothing. A dynamic size can be instructions in front of the
/// question, of an array of variable length.
static Value *answerOf(IntrinsicInst &question) {
  Type *type = question.getType();
  switch (question.getIntrinsicID()) {
  case Intrinsic::is_constant:
    return ConstantInt::getBool(type, isa<Constant>(question.getArgOperand(0)));
  case Intrinsic::objectsize: // what a pointer that was loaded points to is not known
    if (!isa<LoadInst>(getUnderlyingObject(question.getArgOperand(0))))
      return lowerObjectSizeCall(&question, question.getDataLayout(), /*TLI=*/nullptr,
                                 /*MustSucceed=*/true); // as a compiler's code generator
    return cast<ConstantInt>(question.getArgOperand(1))->isOne() ? Constant::getNullValue(type)
                                                                 : Constant::getAllOnesValue(type);
  default: return nullptr;
  }
}

static bool isQuestion(const IntrinsicInst &intrinsic) {
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  return id == Intrinsic::assume || id == Intrinsic::is_constant || id == Intrinsic::objectsize;
}

void dropUnevaluated(Function &function) {
  SmallVector<WeakVH, 8> questions; // one may be the operand of another
  for (Instruction &inst : instructions(function))
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
      if (isQuestion(*intrinsic)) questions.emplace_back(intrinsic);
  if (questions.empty()) return;
  KeptLines lines(function);
  for (const WeakVH &one : questions) {
    auto *question = cast_or_null<IntrinsicInst>(static_cast<Value *>(one));
    if (!question) continue;
    Value *answer = answerOf(*question);
    Value *operand = question->getArgOperand(0);
    if (answer) question->replaceAllUsesWith(answer);
    question->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(operand);
  }
  lines.putBack();
}

} // namespace fathom::program
