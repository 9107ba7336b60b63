// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that programs commonly contain, as instructions: those on general registers and
// memory (TranslateAssembly.h), and here whole statements that do something else: the time stamp
// counter, traps, operations on the floating-point stack in place. What is not known stays.
//
// The native variants are built from the lowered module too, so that a test takes the same path
// there: the time stamp counter is the runtime's, in both.
#include "program/AssemblyText.h"
#include "program/Prepare.h"
#include "program/TranslateAssembly.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// One statement. Operand k of the text is output k, or after the outputs the arguments in order
/// (what is both is an output and an argument).
class Lowering {
public:
  explicit Lowering(CallInst &call) : call_(call), b_(&call) {
    auto *assembly = cast<InlineAsm>(call.getCalledOperand());
    text_ = normalizedAssembly(assembly->getAsmString());
    for (const InlineAsm::ConstraintInfo &c : assembly->ParseConstraints()) {
      if (c.isIndirect) direct_ = false;
      outputs_ += c.Type == InlineAsm::isOutput;
    }
  }

  /// What the call is replaced with; null: not known.
  Value *lower() {
    if (!direct_) return nullptr;
    if (text_ == "rdtsc" || text_ == "rdtscp") return timeStamp();
    if (text_ == "fsqrt") return floating(Intrinsic::sqrt);
    if (text_ == "fabs") return floating(Intrinsic::fabs);
    if (text_ == "frndint") return floating(Intrinsic::rint);
    if (text_ == "ud2" || text_ == "ud2a") return trap(Intrinsic::trap);
    if (text_ == "int3" || text_ == "int $$3" || text_ == "int $$0x3")
      return trap(Intrinsic::debugtrap);
    return nullptr;
  }

private:
  bool shape(unsigned outputs, unsigned inputs) const {
    return outputs_ == outputs && call_.arg_size() == inputs;
  }
  Value *operand(unsigned k) { return call_.getArgOperand(k - outputs_); }
  Value *results(ArrayRef<Value *> values) {
    Value *all = PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < values.size(); ++i) all = b_.CreateInsertValue(all, values[i], i);
    return all;
  }

  /// On top of the floating-point stack, in place: musl's sqrtl.
  Value *floating(Intrinsic::ID which) {
    Type *type = call_.getType();
    if (!shape(1, 1) || !type->isX86_FP80Ty() || operand(1)->getType() != type) return nullptr;
    return b_.CreateUnaryIntrinsic(which, operand(1));
  }

  Value *trap(Intrinsic::ID which) {
    return shape(0, 0) ? b_.CreateIntrinsic(which, {}, {}) : nullptr;
  }

  /// The halves of the counter in two outputs of any width; of rdtscp the processor's number, 0.
  Value *timeStamp() {
    auto *st = dyn_cast<StructType>(call_.getType());
    if (!st || st->getNumElements() < 2 || call_.arg_size()) return nullptr;
    for (Type *t : st->elements())
      if (!t->isIntegerTy()) return nullptr;
    Value *cycles =
        b_.CreateCall(call_.getModule()->getOrInsertFunction("__fathom_cycles", b_.getInt64Ty()));
    Value *halves[] = {b_.CreateAnd(cycles, 0xffffffff), b_.CreateLShr(cycles, 32)};
    SmallVector<Value *, 3> all;
    for (unsigned i = 0; i < st->getNumElements(); ++i)
      all.push_back(i < 2 ? b_.CreateZExtOrTrunc(halves[i], st->getElementType(i))
                          : ConstantInt::get(st->getElementType(i), 0));
    return results(all);
  }

  CallInst &call_;
  IRBuilder<> b_;
  std::string text_;
  unsigned outputs_ = 0;
  bool direct_ = true;
};

} // namespace

void lowerAssembly(Module &module) {
  SmallVector<CallInst *, 16> calls;
  for (Function &f : module)
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallInst>(&i); call && call->isInlineAsm()) calls.push_back(call);
  for (CallInst *call : calls) {
    if (translateAssembly(*call)) continue;
    if (Value *value = Lowering(*call).lower()) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

} // namespace fathom::program
