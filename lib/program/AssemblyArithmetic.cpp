// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, differences, products, quotients and bitwise operations of inline assembly.
#include "program/AssemblyTranslator.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace fathom::program {

// --- sums and differences

void AssemblyTranslator::arithmetic() {
  switch (i_->op) {
  case AsmOp::Add:
  case AsmOp::Xadd: {
    if (!has(2)) return;
    Value *y = m_.read(operand(0), bits), *x = readForUpdate(AtomicRMWInst::Add, y);
    Value *r = b.CreateAdd(x, y);
    // Memory first, whose address can be made of the register; of one register twice the sum stays.
    const bool isMemory = m_.isMemory(last());
    if (isMemory) finish(r);
    if (i_->op == AsmOp::Xadd) m_.write(operand(0), x);
    if (!isMemory) finish(r);
    return sumFlags(x, y, r, nullptr);
  }
  case AsmOp::Adc: {
    if (!has(2)) return;
    refuseLock();
    Value *in = carry(), *y = m_.read(operand(0), bits), *x = m_.read(last(), bits);
    Value *r = b.CreateAdd(b.CreateAdd(x, y), zext(in));
    m_.write(last(), r);
    return sumFlags(x, y, r, in);
  }
  case AsmOp::Adcx:
  case AsmOp::Adox: { // of one flag alone, and not of the other
    if (!has(2)) return;
    refuseLock();
    const bool isCarry = i_->op == AsmOp::Adcx;
    Value *in = isCarry ? carry() : m_.condition(AsmCondition::Overflow);
    Value *y = m_.read(operand(0), bits), *x = m_.read(last(), bits);
    Value *r = b.CreateAdd(b.CreateAdd(x, y), zext(in));
    m_.write(last(), r);
    AsmFlags before = withoutComparison();
    sumFlags(x, y, r, in);
    (isCarry ? before.carry : before.overflow) = m_.flags.carry;
    m_.flags = std::move(before);
    return;
  }
  case AsmOp::Sub:
  case AsmOp::Cmp: {
    if (!has(2)) return;
    if (i_->op == AsmOp::Sub && m_.isSame(operand(0), last()) &&
        !m_.readIfKnown(last(), bits)) { // whatever it was
      m_.write(last(), zero());
      return differenceFlags(zero(), zero(), zero(), nullptr);
    }
    if (i_->op == AsmOp::Cmp) refuseLock();
    Value *y = m_.read(operand(0), bits);
    Value *x = readForUpdate(AtomicRMWInst::Sub, y), *r = b.CreateSub(x, y);
    if (i_->op == AsmOp::Sub) finish(r);
    return differenceFlags(x, y, r, nullptr);
  }
  case AsmOp::Sbb: {
    if (!has(2)) return;
    refuseLock();
    Value *in = carry();
    const bool isAny = m_.isSame(operand(0), last()) && !m_.readIfKnown(last(), bits);
    Value *y = isAny ? zero() : m_.read(operand(0), bits);
    Value *x = isAny ? zero() : m_.read(last(), bits);
    Value *r = b.CreateSub(b.CreateSub(x, y), zext(in));
    m_.write(last(), r);
    return differenceFlags(x, y, r, in);
  }
  case AsmOp::Inc:
  case AsmOp::Dec: {
    if (!has(1)) return;
    const bool isInc = i_->op == AsmOp::Inc;
    AsmFlags before = m_.flags;
    AsmFlags::Maker kept = before.carry;
    Value *one = number(1);
    Value *x = readForUpdate(isInc ? AtomicRMWInst::Add : AtomicRMWInst::Sub, one);
    Value *r = isInc ? b.CreateAdd(x, one) : b.CreateSub(x, one);
    finish(r);
    if (isInc)
      sumFlags(x, one, r, nullptr);
    else
      differenceFlags(x, one, r, nullptr);
    m_.flags.left = m_.flags.right = nullptr;
    m_.flags.carry = std::move(kept);
    return;
  }
  case AsmOp::Neg: {
    if (!has(1)) return;
    refuseLock();
    Value *x = m_.read(last(), bits), *r = b.CreateSub(zero(), x);
    m_.write(last(), r);
    return differenceFlags(zero(), x, r, nullptr);
  }
  default: return compareAndExchange();
  }
}

void AssemblyTranslator::compareAndExchange() {
  if (!has(2)) return;
  Value *with = m_.read(operand(0), bits), *expected = m_.readRegister(kAccumulator, bits);
  Value *old;
  if (i_->isLocked) {
    old = b.CreateExtractValue(b.CreateAtomicCmpXchg(m_.address(last()), expected, with,
                                                     Align(bits / 8),
                                                     AtomicOrdering::SequentiallyConsistent,
                                                     AtomicOrdering::SequentiallyConsistent),
                               0);
  } else {
    old = m_.read(last(), bits);
    m_.writeIf(b.CreateICmpEQ(old, expected), last(), with, old);
  }
  AsmOperand accumulator;
  accumulator.kind = AsmOperand::Kind::Place;
  accumulator.place = {.number = kAccumulator, .bits = bits};
  // Where they are equal, the low bits are the same.
  m_.writeIf(b.CreateICmpNE(old, expected), accumulator, old, old);
  differenceFlags(expected, old, b.CreateSub(expected, old), nullptr);
}

// --- logic

void AssemblyTranslator::logic() {
  if (i_->op == AsmOp::Not) {
    if (!has(1)) return;
    Value *all = number(~uint64_t(0) >> (64 - bits));
    return finish(b.CreateXor(readForUpdate(AtomicRMWInst::Xor, all), all));
  }
  if (i_->op == AsmOp::Andn) {
    if (!has(3)) return;
    refuseLock();
    Value *r = b.CreateAnd(b.CreateNot(m_.read(operand(1), bits)), m_.read(operand(0), bits));
    m_.write(last(), r);
    logicFlags(r);
    m_.flags.parity = nullptr;
    return;
  }
  if (!has(2)) return;
  if (i_->op == AsmOp::Xor && m_.isSame(operand(0), last())) { // whatever it was
    m_.write(last(), zero());
    return logicFlags(zero());
  }
  Value *y = m_.read(operand(0), bits);
  switch (i_->op) {
  case AsmOp::Or: {
    Value *r = b.CreateOr(readForUpdate(AtomicRMWInst::Or, y), y);
    finish(r);
    return logicFlags(r);
  }
  case AsmOp::Xor: {
    Value *r = b.CreateXor(readForUpdate(AtomicRMWInst::Xor, y), y);
    finish(r);
    return logicFlags(r);
  }
  case AsmOp::Test: refuseLock(); return logicFlags(b.CreateAnd(m_.read(last(), bits), y));
  default: {
    Value *r = b.CreateAnd(readForUpdate(AtomicRMWInst::And, y), y);
    finish(r);
    return logicFlags(r);
  }
  }
}

// --- products and quotients

void AssemblyTranslator::multiply() {
  refuseLock();
  if (i_->operands.empty()) return m_.fail();
  const bool isSigned = i_->op == AsmOp::Imul;
  Type *twice = b.getIntNTy(2 * bits);
  auto wide = [&](Value *v) { return isSigned ? b.CreateSExt(v, twice) : b.CreateZExt(v, twice); };
  auto setFlags = [&](Value *product) {
    AsmFlags f;
    f.carry = f.overflow = [=, this, bits = bits]() -> Value * {
      if (!isSigned) return b.CreateNot(isZero(b.CreateLShr(product, bits)));
      return b.CreateICmpNE(product,
                            b.CreateSExt(b.CreateTrunc(product, b.getIntNTy(bits)), twice));
    };
    m_.flags = std::move(f);
  };
  if (i_->op == AsmOp::Mulx) {
    if (!has(3) || bits < 32) return m_.fail();
    Value *product =
        b.CreateMul(wide(m_.readRegister(kData, bits)), wide(m_.read(operand(0), bits)));
    m_.write(operand(1), low(product));
    return m_.write(last(), high(product));
  }
  if (i_->operands.size() == 1) {
    Value *product =
        b.CreateMul(wide(m_.readRegister(kAccumulator, bits)), wide(m_.read(last(), bits)));
    if (bits == 8) {
      m_.writeRegister(kAccumulator, product);
    } else {
      m_.writeRegister(kAccumulator, low(product));
      m_.writeRegister(kData, high(product));
    }
    return setFlags(product);
  }
  if (!isSigned || i_->operands.size() > 3) return m_.fail();
  Value *x = m_.read(operand(0), bits), *y = m_.read(operand(1), bits);
  setFlags(b.CreateMul(wide(x), wide(y)));
  m_.write(last(),
           b.CreateMul(x, y)); // the wide one is dropped where no instruction asks for flags
}

void AssemblyTranslator::divide() {
  if (!has(1)) return;
  refuseLock();
  const bool isSigned = i_->op == AsmOp::Idiv;
  Type *twice = b.getIntNTy(2 * bits);
  Value *d = m_.read(last(), bits);
  Value *n = bits == 8 ? m_.readRegister(kAccumulator, 16)
                       : both(m_.readRegister(kData, bits), m_.readRegister(kAccumulator, bits));
  Value *wide = isSigned ? b.CreateSExt(d, twice) : b.CreateZExt(d, twice), *tooLarge = nullptr;
  if (isSigned) {
    // The quotient's magnitude is compared, so that the check divides by nothing.
    auto magnitude = [&](Value *v) {
      return b.CreateSelect(isNegative(v), b.CreateSub(Constant::getNullValue(twice), v), v);
    };
    Value *isOpposite = b.CreateXor(isNegative(n), isNegative(wide));
    // |n| >= |d| * limit, where the limit is 2^(bits-1), or one more for a negative quotient.
    Value *limit = b.CreateAdd(ConstantInt::get(twice, uint64_t(1) << (bits - 1)),
                               b.CreateZExt(isOpposite, twice));
    tooLarge = b.CreateICmpUGE(magnitude(n), b.CreateMul(magnitude(wide), limit));
  } else {
    tooLarge = b.CreateICmpUGE(b.CreateLShr(n, bits), wide);
  }
  // A compiler that makes a native variant must not see that this can be 0, or it leaves it out.
  Value *checked = b.CreateSelect(tooLarge, zero(), d);
  auto *hidden = InlineAsm::get(FunctionType::get(type(), {type()}, /*isVarArg=*/false), "", "=r,0",
                                /*hasSideEffects=*/true);
  if (auto *known = dyn_cast<ConstantInt>(checked); !known || known->isZero())
    checked = b.CreateCall(hidden, {checked});
  wide = isSigned ? b.CreateSExt(checked, twice) : b.CreateZExt(checked, twice);
  Value *quotient = low(isSigned ? b.CreateSDiv(n, wide) : b.CreateUDiv(n, wide));
  Value *remainder = low(isSigned ? b.CreateSRem(n, wide) : b.CreateURem(n, wide));
  if (bits == 8) {
    m_.writeRegister(kAccumulator, b.CreateOr(b.CreateShl(b.CreateZExt(remainder, twice), 8),
                                              b.CreateZExt(quotient, twice)));
  } else {
    m_.writeRegister(kAccumulator, quotient);
    m_.writeRegister(kData, remainder);
  }
  m_.flags = {};
}

} // namespace fathom::program
