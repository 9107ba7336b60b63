// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that C does not evaluate. __builtin_constant_p, __builtin_assume and
// __builtin_object_size ask about an expression; what clang makes of it for an optimiser to look at
// includes its loads, which would be reads of the program's. In code that is not optimised the
// answer does not depend on them, so it is put in and they are taken out.
#include "program/Prepare.h"
#include "program/SourceLines.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace fathom::program {

/// The answer; null: it can depend on the operand. No answer is asked for of an assumption.
static Constant *answerOf(const IntrinsicInst &question) {
  Type *type = question.getType();
  switch (question.getIntrinsicID()) {
  case Intrinsic::is_constant:
    return ConstantInt::getBool(type, isa<Constant>(question.getArgOperand(0)));
  case Intrinsic::objectsize: // what a pointer that was loaded points to is not known
    if (!isa<LoadInst>(getUnderlyingObject(question.getArgOperand(0)))) return nullptr;
    return cast<ConstantInt>(question.getArgOperand(1))->isOne() ? Constant::getNullValue(type)
                                                                 : Constant::getAllOnesValue(type);
  default: return nullptr;
  }
}

void dropUnevaluated(Function &function) {
  SmallVector<IntrinsicInst *, 8> questions;
  for (Instruction &inst : instructions(function))
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
      if (intrinsic->getIntrinsicID() == Intrinsic::assume || answerOf(*intrinsic))
        questions.push_back(intrinsic);
  if (questions.empty()) return;
  KeptLines lines(function);
  for (IntrinsicInst *question : questions) {
    Constant *answer = answerOf(*question);
    Value *operand = question->getArgOperand(0);
    if (answer) question->replaceAllUsesWith(answer);
    question->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(operand);
  }
  lines.putBack();
}

} // namespace fathom::program
