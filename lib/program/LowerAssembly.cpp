// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that programs commonly contain, as instructions: byte swaps, the time stamp
// counter, and the double-word arithmetic of GMP's longlong.h (coreutils' factor has a copy). What
// is not known stays, and ends the path that reaches it.
//
// The native variants are built from the lowered module too, so that a test takes the same path
// there: the time stamp counter is the runtime's, in both.
#include "program/AssemblyText.h"
#include "program/Prepare.h"

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
    if (text_ == "bswap $0" || text_ == "bswapl $0" || text_ == "bswapq $0") return byteSwap();
    if (text_ == "rdtsc" || text_ == "rdtscp") return timeStamp();
    if (text_ == "mulq $3") return multiply();
    if (text_ == "divq $4") return divide();
    if (text_ == "addq $5,$1;adcq $3,$0") return addOrSubtract(Instruction::Add);
    if (text_ == "subq $5,$1;sbbq $3,$0") return addOrSubtract(Instruction::Sub);
    if (text_ == "bsrq $1,$0" || text_ == "bsr $1,$0") return scan(Intrinsic::ctlz);
    if (text_ == "fsqrt") return floating(Intrinsic::sqrt);
    if (text_ == "fabs") return floating(Intrinsic::fabs);
    if (text_ == "frndint") return floating(Intrinsic::rint);
    if (text_ == "ud2" || text_ == "ud2a") return trap(Intrinsic::trap);
    if (text_ == "int3" || text_ == "int $$3" || text_ == "int $$0x3")
      return trap(Intrinsic::debugtrap);
    if (text_ == "bsfq $1,$0" || text_ == "bsf $1,$0") return scan(Intrinsic::cttz);
    return nullptr;
  }

private:
  bool shape(unsigned outputs, unsigned inputs) const {
    return outputs_ == outputs && call_.arg_size() == inputs;
  }
  /// Are all outputs and inputs 64-bit integers?
  bool words() const {
    auto *st = dyn_cast<StructType>(call_.getType());
    return st && all_of(st->elements(), [](Type *t) { return t->isIntegerTy(64); }) &&
           all_of(call_.args(), [](const Use &a) { return a->getType()->isIntegerTy(64); });
  }
  Value *operand(unsigned k) { return call_.getArgOperand(k - outputs_); }
  Value *wide(Value *word) { return b_.CreateZExt(word, b_.getInt128Ty()); }
  Value *pair(Value *high, Value *low) {
    return b_.CreateOr(b_.CreateShl(wide(high), 64), wide(low));
  }
  Value *low(Value *v) { return b_.CreateTrunc(v, b_.getInt64Ty()); }
  Value *high(Value *v) { return low(b_.CreateLShr(v, 64)); }
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

  Value *byteSwap() {
    Type *type = call_.getType();
    if (!shape(1, 1) || (!type->isIntegerTy(32) && !type->isIntegerTy(64))) return nullptr;
    if (operand(1)->getType() != type) return nullptr;
    return b_.CreateUnaryIntrinsic(Intrinsic::bswap, operand(1));
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

  Value *multiply() { // low, high = u * v
    if (!shape(2, 2) || !words()) return nullptr;
    Value *product = b_.CreateMul(wide(operand(2)), wide(operand(3)));
    return results({low(product), high(product)});
  }

  Value *divide() { // quotient, remainder = high:low / d; no check that the quotient fits
    if (!shape(2, 3) || !words()) return nullptr;
    Value *n = pair(operand(3), operand(2)), *d = wide(operand(4));
    return results({low(b_.CreateUDiv(n, d)), low(b_.CreateURem(n, d))});
  }

  Value *addOrSubtract(Instruction::BinaryOps op) { // high, low = high:low op high:low
    if (!shape(2, 4) || !words()) return nullptr;
    Value *r = b_.CreateBinOp(op, pair(operand(2), operand(4)), pair(operand(3), operand(5)));
    return results({high(r), low(r)});
  }

  Value *scan(Intrinsic::ID count) { // number of the highest or lowest bit that is set
    Type *type = call_.getType();
    if (!shape(1, 1) || !type->isIntegerTy(64) || operand(1)->getType() != type) return nullptr;
    Value *zeros = b_.CreateBinaryIntrinsic(count, operand(1), b_.getFalse());
    return count == Intrinsic::ctlz ? b_.CreateXor(zeros, 63) : zeros;
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
  for (CallInst *call : calls)
    if (Value *value = Lowering(*call).lower()) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
}

} // namespace fathom::program
