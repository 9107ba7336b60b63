// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic, comparisons, casts and select, scalar by scalar (a vector is its lanes).
#include "program/DecodeInstructions.h"
#include "program/Operands.h"

#include "llvm/IR/Operator.h"

using namespace llvm;

namespace fathom::program {
namespace {

Op byWidth(unsigned bits, Op op32, Op op64, Op opN) {
  return bits == 32 ? op32 : bits == 64 ? op64 : opN;
}

WideOp wideOp(unsigned opcode) {
  switch (opcode) {
  case Instruction::Add: return WideOp::Add;
  case Instruction::Sub: return WideOp::Sub;
  case Instruction::Mul: return WideOp::Mul;
  case Instruction::UDiv: return WideOp::UDiv;
  case Instruction::SDiv: return WideOp::SDiv;
  case Instruction::URem: return WideOp::URem;
  case Instruction::SRem: return WideOp::SRem;
  case Instruction::And: return WideOp::And;
  case Instruction::Or: return WideOp::Or;
  case Instruction::Xor: return WideOp::Xor;
  case Instruction::Shl: return WideOp::Shl;
  case Instruction::LShr: return WideOp::LShr;
  default: assert(opcode == Instruction::AShr && "no integer operation"); return WideOp::AShr;
  }
}

Op plainOp(unsigned opcode, unsigned bits) {
  switch (opcode) {
  case Instruction::Add: return byWidth(bits, Op::Add32, Op::Add64, Op::AddN);
  case Instruction::Sub: return byWidth(bits, Op::Sub32, Op::Sub64, Op::SubN);
  case Instruction::Mul: return byWidth(bits, Op::Mul32, Op::Mul64, Op::MulN);
  case Instruction::UDiv: return Op::UDiv;
  case Instruction::SDiv: return Op::SDiv;
  case Instruction::URem: return Op::URem;
  case Instruction::SRem: return Op::SRem;
  case Instruction::And: return Op::And;
  case Instruction::Or: return Op::Or;
  case Instruction::Xor: return Op::Xor;
  case Instruction::Shl: return Op::Shl;
  case Instruction::LShr: return Op::LShr;
  default: assert(opcode == Instruction::AShr && "no integer operation"); return Op::AShr;
  }
}

/// The form with an immediate second operand, Op::Count if there is none.
Op immediateOp(unsigned opcode, unsigned bits) {
  switch (opcode) {
  case Instruction::Add: return byWidth(bits, Op::Add32I, Op::Add64I, Op::AddNI);
  case Instruction::Mul: return byWidth(bits, Op::Mul32I, Op::Mul64I, Op::MulNI);
  case Instruction::Sub: return Op::SubNI;
  case Instruction::And: return Op::AndI;
  case Instruction::Or: return Op::OrI;
  case Instruction::Xor: return Op::XorI;
  case Instruction::Shl: return Op::ShlI;
  case Instruction::LShr: return Op::LShrI;
  case Instruction::AShr: return Op::AShrI;
  default: return Op::Count;
  }
}

Predicate widePredicate(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ: return Predicate::Eq;
  case CmpInst::ICMP_NE: return Predicate::Ne;
  case CmpInst::ICMP_ULT: return Predicate::Ult;
  case CmpInst::ICMP_ULE: return Predicate::Ule;
  case CmpInst::ICMP_UGT: return Predicate::Ugt;
  case CmpInst::ICMP_UGE: return Predicate::Uge;
  case CmpInst::ICMP_SLT: return Predicate::Slt;
  case CmpInst::ICMP_SLE: return Predicate::Sle;
  case CmpInst::ICMP_SGT: return Predicate::Sgt;
  default: return Predicate::Sge;
  }
}

Op compareImmediate(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ: return Op::EqI;
  case CmpInst::ICMP_NE: return Op::NeI;
  case CmpInst::ICMP_ULT: return Op::UltI;
  case CmpInst::ICMP_ULE: return Op::UleI;
  case CmpInst::ICMP_UGT: return Op::UgtI;
  case CmpInst::ICMP_UGE: return Op::UgeI;
  case CmpInst::ICMP_SLT: return Op::SltI;
  case CmpInst::ICMP_SLE: return Op::SleI;
  case CmpInst::ICMP_SGT: return Op::SgtI;
  default: return Op::SgeI;
  }
}

} // namespace

static Operand speculativeShiftAmount(FunctionEmitter &e, const Operand &amount, unsigned bits);

void decodeBinary(FunctionEmitter &e, const BinaryOperator &inst) {
  const Layout &layout = e.layoutOf(&inst);
  if (layout.scalars.front().kind == Scalar::Float) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      floatBinary(e, inst.getOpcode(), s.fp, dst, e.use(inst.getOperand(0), i),
                  e.use(inst.getOperand(1), i));
    });
    return;
  }
  auto *overflowing = dyn_cast<OverflowingBinaryOperator>(&inst);
  // shl nsw is never what a C programmer wrote: clang does not emit it.
  bool nsw = e.asWritten && overflowing && overflowing->hasNoSignedWrap() &&
             inst.getOpcode() != Instruction::Shl;
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    Operand a = e.use(inst.getOperand(0), i), b = e.use(inst.getOperand(1), i);
    if (inst.isShift() && !e.asWritten) b = speculativeShiftAmount(e, b, s.bits);
    binary(e, inst.getOpcode(), s.bits, dst, a, b, nsw);
  });
}

/// Optimised code may shift by too much where the result is not used (`n < 64 ? x << n : 0` becomes
/// a shift and a select). There the amount is taken modulo the width, as the processor does, and no
/// bug is reported.
static Operand speculativeShiftAmount(FunctionEmitter &e, const Operand &amount, unsigned bits) {
  if (amount.constant || !isPowerOf2_32(bits)) return amount;
  uint32_t masked = e.scratch(slotsOfWidth(bits));
  binary(e, Instruction::And, bits, masked, amount, Operand::ofConstant(bits - 1));
  return Operand::ofSlot(masked);
}

void binary(FunctionEmitter &e, unsigned opcode, unsigned bits, uint32_t dst, Operand a, Operand b,
            bool nsw) {
  const uint8_t flags = nsw ? kNsw : 0;
  // A signed division can go wrong in two ways, each of which is an operation of its own.
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  if (isSigned && !(b.constant && (b.lo || b.hi))) {
    b = Operand::ofSlot(e.reg(b, bits));
    e.emit(Op::NonZero, bits, 0, b.slot);
  }
  if (bits > 64) {
    uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
    e.emit(Op::WideBin, bits, dst, x, y, 0, static_cast<uint32_t>(wideOp(opcode)), 0, flags);
    return;
  }
  if (a.constant && !a.undef && !b.constant && Instruction::isCommutative(opcode)) std::swap(a, b);
  Op immediate = immediateOp(opcode, bits);
  if (b.constant && !b.undef && immediate != Op::Count) {
    uint64_t imm = b.lo;
    bool usable = true;
    if (opcode == Instruction::Sub && !nsw) {
      immediate = immediateOp(Instruction::Add, bits);
      imm = maskTo({0 - imm}, bits).lo;
    } else if (Instruction::isShift(opcode)) {
      usable = imm < bits;
    }
    if (usable) {
      uint32_t x = e.reg(a, bits);
      e.emit(immediate, bits, dst, x, 0, 0, 0, imm, flags);
      return;
    }
  }
  uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
  e.emit(plainOp(opcode, bits), bits, dst, x, y, 0, 0, 0, flags);
}

void decodeICmp(FunctionEmitter &e, const ICmpInst &inst) {
  const Layout &operands = e.layoutOf(inst.getOperand(0));
  e.forEachScalar(inst, [&](unsigned i, const Scalar &, uint32_t dst) {
    compare(e, inst.getPredicate(), operands.scalars[i].bits, dst, e.use(inst.getOperand(0), i),
            e.use(inst.getOperand(1), i), operands.scalars[i].kind == Scalar::Pointer);
  });
}

void compare(FunctionEmitter &e, CmpInst::Predicate predicate, unsigned bits, uint32_t dst,
             Operand a, Operand b, bool pointer) {
  const uint8_t flags = pointer ? kPointer : 0;
  if (bits > 64) {
    uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
    e.emit(Op::WideCmp, bits, dst, x, y, 0, static_cast<uint32_t>(widePredicate(predicate)), 0,
           flags);
    return;
  }
  if (a.constant && !a.undef && !b.constant) {
    std::swap(a, b);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (b.constant && !b.undef) {
    uint32_t x = e.reg(a, bits);
    e.emit(compareImmediate(predicate), bits, dst, x, 0, 0, 0, b.lo, flags);
    return;
  }
  if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
    std::swap(a, b);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
  Op op = Op::Eq;
  switch (predicate) {
  case CmpInst::ICMP_NE: op = Op::Ne; break;
  case CmpInst::ICMP_ULT: op = Op::Ult; break;
  case CmpInst::ICMP_ULE: op = Op::Ule; break;
  case CmpInst::ICMP_SLT: op = Op::Slt; break;
  case CmpInst::ICMP_SLE: op = Op::Sle; break;
  default: break;
  }
  e.emit(op, bits, dst, x, y, 0, 0, 0, flags);
}

void decodeSelect(FunctionEmitter &e, const SelectInst &inst) {
  const bool lanes = inst.getCondition()->getType()->isVectorTy();
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    select(e, s.bits, dst, e.use(inst.getCondition(), lanes ? i : 0), e.use(inst.getTrueValue(), i),
           e.use(inst.getFalseValue(), i), s.kind == Scalar::Pointer);
  });
}

void select(FunctionEmitter &e, unsigned bits, uint32_t dst, const Operand &condition,
            const Operand &a, const Operand &b, bool pointer) {
  uint32_t c = e.reg(condition, 1), x = e.reg(a, bits), y = e.reg(b, bits);
  e.emit(bits > 64 ? Op::WideSelect : Op::Select, bits, dst, c, x, y, 0, 0, pointer ? kPointer : 0);
}

void decodeCast(FunctionEmitter &e, const CastInst &inst) {
  const Value *source = inst.getOperand(0);
  const Layout &from = e.layoutOf(source);
  switch (inst.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      unsigned fromBits = from.scalars[i].bits;
      Operand a = e.use(source, i);
      if (inst.getOpcode() == Instruction::SExt)
        signExtend(e, dst, s.bits, a, fromBits);
      else if (s.bits < fromBits)
        truncate(e, dst, s.bits, a, fromBits);
      else if (s.bits > fromBits)
        zeroExtend(e, dst, s.bits, a, fromBits);
      else
        e.move(dst, a, s.bits);
    });
    return;
  case Instruction::BitCast: {
    SmallVector<Operand, 8> operands;
    for (unsigned i = 0; i < from.scalars.size(); ++i) operands.push_back(e.use(source, i));
    return repack(e, operands, from.scalars, e.define(inst), e.layoutOf(&inst).scalars);
  }
  case Instruction::AddrSpaceCast: return e.fail("address space");
  default: return floatCast(e, inst.getOpcode(), inst, source, /*saturate=*/false);
  }
}

void truncate(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
              unsigned fromBits) {
  uint32_t x = e.reg(a, fromBits);
  if (fromBits > 64)
    e.emit(Op::WideTrunc, toBits, dst, x, 0, fromBits);
  else
    e.emit(Op::TruncN, toBits, dst, x, 0, fromBits);
}

void zeroExtend(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
                unsigned fromBits) {
  uint32_t x = e.reg(a, fromBits);
  e.emit(toBits > 64 ? Op::WideZext : Op::ZextSym, toBits, dst, x, 0, fromBits);
}

void signExtend(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
                unsigned fromBits) {
  uint32_t x = e.reg(a, fromBits);
  e.emit(toBits > 64 ? Op::WideSext : Op::SextN, toBits, dst, x, 0, fromBits);
}

} // namespace fathom::program
