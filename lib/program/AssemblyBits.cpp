// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts, rotations, tests and counts of bits of inline assembly.
#include "program/AssemblyTranslator.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {

// --- shifts

/// The shift count as the processor masks it: to 6 bits for operations of 64 bits, to 5 for others;
/// as an i64. Null: the instruction has no count, which means 1.
Value *AssemblyTranslator::shiftCount(const AsmOperand *from) {
  Value *by = !from ? b.getInt8(1) : m_.read(*from, 8);
  return b.CreateZExtOrTrunc(b.CreateAnd(by, bits == 64 ? 63 : 31), b.getInt64Ty());
}

/// Whether the known bits of `count` prove that it is below `limit`.
bool AssemblyTranslator::isBelow(Value *count, unsigned limit) {
  const DataLayout &layout = b.GetInsertBlock()->getModule()->getDataLayout();
  return computeKnownBits(count, layout).getMaxValue().ult(limit);
}

/// Sets the flags to `now`, but for a count of 0, which leaves all flags as they are. A flag that
/// is unknown in one of the two cases is unknown. preservesResultFlags: the instruction does not
/// change the zero, sign and parity flags.
void AssemblyTranslator::setShiftFlags(Value *by, bool preservesResultFlags, AsmFlags now) {
  AsmFlags before = withoutComparison();
  if (preservesResultFlags) {
    now.zero = before.zero;
    now.sign = before.sign;
    now.parity = before.parity;
  }
  if (auto *constant = dyn_cast<ConstantInt>(by)) {
    if (!constant->isZero()) m_.flags = std::move(now);
    return;
  }
  Value *isNone = isZero(by);
  auto choose = [&](AsmFlags::Maker AsmFlags::*which) {
    AsmFlags::Maker old = before.*which, other = now.*which;
    if (preservesResultFlags && which != &AsmFlags::carry && which != &AsmFlags::overflow) return;
    if (!old || !other)
      now.*which = nullptr;
    else
      now.*which = [this, isNone, old, other] { return b.CreateSelect(isNone, old(), other()); };
  };
  for (auto which :
       {&AsmFlags::carry, &AsmFlags::zero, &AsmFlags::sign, &AsmFlags::overflow, &AsmFlags::parity})
    choose(which);
  m_.flags = std::move(now);
}

void AssemblyTranslator::shift() {
  refuseLock();
  if (i_->operands.size() != 1 && !has(2)) return;
  if (i_->op == AsmOp::Rcl || i_->op == AsmOp::Rcr) return rotateThroughCarry();
  const AsmOperand *count = i_->operands.size() == 2 ? &operand(0) : nullptr;
  Value *by = shiftCount(count), *x = m_.read(last(), bits), *r = nullptr;
  const bool isOnce = isa<ConstantInt>(by) && cast<ConstantInt>(by)->isOne();
  Type *word = b.getInt64Ty();
  // Right shifts: the index of the bit that is shifted out last.
  Value *lastOut = b.CreateAnd(b.CreateSub(by, b.getInt64(1)), 63);
  AsmFlags f;
  switch (i_->op) {
  case AsmOp::Shl: {
    Value *wide = b.CreateShl(b.CreateZExt(x, word), by);
    r = b.CreateTrunc(wide, type());
    Value *at = b.CreateAnd(b.CreateSub(b.getInt64(0), by), 63);
    f.carry = [=, this, bits = bits] {
      return bits == 64 ? bit(x, at) : bit(wide, b.getInt64(bits));
    };
    break;
  }
  case AsmOp::Shr: {
    Value *wide = b.CreateZExt(x, word);
    r = b.CreateTrunc(b.CreateLShr(wide, by), type());
    f.carry = [=, this] { return bit(wide, lastOut); };
    if (isOnce) f.overflow = [=, this] { return isNegative(x); };
    break;
  }
  case AsmOp::Sar: {
    Value *wide = b.CreateSExt(x, word);
    r = b.CreateTrunc(b.CreateAShr(wide, by), type());
    f.carry = [=, this] { return bit(wide, lastOut); };
    if (isOnce) f.overflow = constantly(false);
    break;
  }
  case AsmOp::Rol:
    r = b.CreateIntrinsic(Intrinsic::fshl, {type()}, {x, x, zext(by)});
    f.carry = [=, this] { return lowBit(r); };
    if (isOnce) f.overflow = [=, this] { return b.CreateXor(isNegative(r), lowBit(r)); };
    break;
  default:
    r = b.CreateIntrinsic(Intrinsic::fshr, {type()}, {x, x, zext(by)});
    f.carry = [=, this] { return isNegative(r); };
    if (isOnce)
      f.overflow = [=, this] { return b.CreateXor(isNegative(r), isNegative(b.CreateShl(r, 1))); };
    break;
  }
  // The carry flag is undefined if the count is not less than the operand's width.
  if ((i_->op == AsmOp::Shl || i_->op == AsmOp::Shr) && !isBelow(by, bits)) f.carry = nullptr;
  m_.write(last(), r);
  const bool isRotation = i_->op == AsmOp::Rol || i_->op == AsmOp::Ror;
  if (!isRotation) setResultFlags(f, r);
  if (i_->op == AsmOp::Shl && isOnce)
    f.overflow = [=, this, carry = f.carry] { return b.CreateXor(carry(), isNegative(r)); };
  setShiftFlags(by, isRotation, std::move(f));
}

/// Only counts of 1 are supported: compilers use those to shift numbers of several words.
void AssemblyTranslator::rotateThroughCarry() {
  Value *by = shiftCount(i_->operands.size() == 2 ? &operand(0) : nullptr);
  if (!isa<ConstantInt>(by) || !cast<ConstantInt>(by)->isOne()) return m_.fail();
  Value *in = zext(carry()), *x = m_.read(last(), bits), *r;
  AsmFlags f = withoutComparison();
  if (i_->op == AsmOp::Rcl) {
    r = b.CreateOr(b.CreateShl(x, 1), in);
    f.carry = [=, this] { return isNegative(x); };
    f.overflow = [=, this] { return b.CreateXor(isNegative(x), isNegative(r)); };
  } else {
    r = b.CreateOr(b.CreateLShr(x, 1), b.CreateShl(in, bits - 1));
    f.carry = [=, this] { return lowBit(x); };
    f.overflow = [=, this] { return b.CreateXor(isNegative(r), isNegative(b.CreateShl(r, 1))); };
  }
  m_.write(last(), r);
  m_.flags = std::move(f);
}

void AssemblyTranslator::doubleShift() {
  refuseLock();
  AsmOperand countRegister;
  countRegister.kind = AsmOperand::Kind::Place;
  countRegister.place = {.number = kCount, .bits = 8};
  const bool isThree = i_->operands.size() == 3;
  if (!isThree && !has(2)) return;
  if (bits < 16) return m_.fail();
  Value *by = shiftCount(isThree ? &operand(0) : &countRegister);
  if (!isBelow(by, bits)) return m_.fail(); // a count above is undefined
  Value *from = m_.read(operand(isThree ? 1 : 0), bits), *x = m_.read(last(), bits), *n = zext(by);
  const bool isLeft = i_->op == AsmOp::Shld;
  Value *r = isLeft ? b.CreateIntrinsic(Intrinsic::fshl, {type()}, {x, from, n})
                    : b.CreateIntrinsic(Intrinsic::fshr, {type()}, {from, x, n});
  Value *at =
      b.CreateAnd(isLeft ? b.CreateSub(zero(), n) : b.CreateSub(n, number(1)), number(bits - 1));
  AsmFlags f;
  setResultFlags(f, r);
  f.carry = [=, this] { return bit(x, at); };
  if (isa<ConstantInt>(by) && cast<ConstantInt>(by)->isOne())
    f.overflow = [=, this] { return isNegative(b.CreateXor(x, r)); };
  m_.write(last(), r);
  setShiftFlags(by, /*preservesResultFlags=*/false, std::move(f));
}

/// Without flags: count, source, destination.
void AssemblyTranslator::plainShift() {
  if (!has(3)) return;
  Value *n = b.CreateAnd(m_.read(operand(0), bits), number(bits - 1));
  Value *x = m_.read(operand(1), bits), *r = nullptr;
  switch (i_->op) {
  case AsmOp::Rorx: r = b.CreateIntrinsic(Intrinsic::fshr, {type()}, {x, x, n}); break;
  case AsmOp::Sarx: r = b.CreateAShr(x, n); break;
  case AsmOp::Shlx: r = b.CreateShl(x, n); break;
  default: r = b.CreateLShr(x, n); break;
  }
  m_.write(last(), r);
}

// --- bits

void AssemblyTranslator::bitTest() {
  if (!has(2)) return;
  if (bits < 16) return m_.fail();
  Value *index = m_.read(operand(0), bits), *address = nullptr;
  const bool isMemory = m_.isMemory(last()), isFar = isMemory && !m_.constantOf(operand(0));
  if (isMemory) address = m_.address(last());
  if (isFar) { // a register counts on beyond the operand, in both directions
    Value *units = b.CreateAShr(b.CreateSExt(index, b.getInt64Ty()), Log2_64(bits));
    address = b.CreatePtrAdd(address, b.CreateMul(units, b.getInt64(bits / 8)));
  }
  Value *at = b.CreateAnd(index, number(bits - 1)), *mask = b.CreateShl(number(1), at);
  Value *old = nullptr;
  const AtomicRMWInst::BinOp op = i_->op == AsmOp::Bts   ? AtomicRMWInst::Or
                                  : i_->op == AsmOp::Btr ? AtomicRMWInst::And
                                                         : AtomicRMWInst::Xor;
  Value *with = i_->op == AsmOp::Btr ? b.CreateNot(mask) : mask;
  if (i_->op == AsmOp::Bt) refuseLock();
  if (i_->isLocked)
    old = b.CreateAtomicRMW(op, address, with, Align(bits / 8),
                            AtomicOrdering::SequentiallyConsistent);
  else
    old = isMemory ? m_.load(type(), address) : m_.read(last(), bits);
  if (i_->op != AsmOp::Bt && !i_->isLocked) {
    Value *r = op == AtomicRMWInst::Or    ? b.CreateOr(old, with)
               : op == AtomicRMWInst::And ? b.CreateAnd(old, with)
                                          : b.CreateXor(old, with);
    if (isMemory)
      b.CreateAlignedStore(r, address, Align(1));
    else
      m_.write(last(), r);
  }
  setCarry([=, this] { return bit(old, at); });
  m_.flags.sign = m_.flags.overflow = m_.flags.parity = nullptr;
}

void AssemblyTranslator::count() {
  if (!has(2)) return;
  refuseLock();
  Value *x = m_.read(operand(0), bits), *r = nullptr;
  AsmFlags f;
  switch (i_->op) {
  case AsmOp::Popcnt:
    r = b.CreateUnaryIntrinsic(Intrinsic::ctpop, x);
    f.carry = f.overflow = f.sign = f.parity = constantly(false);
    f.zero = [=, this] { return isZero(x); };
    break;
  case AsmOp::Tzcnt:
  case AsmOp::Lzcnt:
    r = b.CreateBinaryIntrinsic(i_->op == AsmOp::Tzcnt ? Intrinsic::cttz : Intrinsic::ctlz, x,
                                b.getFalse());
    f.carry = [=, this] { return isZero(x); };
    f.zero = [=, this] { return isZero(r); };
    break;
  default: {
    const bool isReverse = i_->op == AsmOp::Bsr;
    r = b.CreateBinaryIntrinsic(isReverse ? Intrinsic::ctlz : Intrinsic::cttz, x, b.getFalse());
    if (isReverse) r = b.CreateXor(r, number(bits - 1));
    if (Value *old = m_.readIfKnown(last(), bits)) r = b.CreateSelect(isZero(x), old, r);
    f.zero = [=, this] { return isZero(x); };
    break;
  }
  }
  m_.write(last(), r);
  m_.flags = std::move(f);
}

} // namespace fathom::program
