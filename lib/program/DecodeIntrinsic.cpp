// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM intrinsics other than those of floating point (DecodeFloat.cpp), memory (DecodeMemory.cpp)
// and vector reductions. An unknown intrinsic is unsupported: the message names it, and it ends
// only the path that reaches it.
#include "program/DecodeInstructions.h"
#include "program/Operands.h"

#include "llvm/Analysis/MemoryBuiltins.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// Intrinsics without a meaning for the program's result.
bool isWithoutEffect(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::pseudoprobe:
  case Intrinsic::prefetch:
  case Intrinsic::var_annotation:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::set_rounding:
  case Intrinsic::clear_cache:
  case Intrinsic::stackprotector:
  case Intrinsic::codeview_annotation:
  case Intrinsic::instrprof_increment:
  case Intrinsic::instrprof_increment_step:
  case Intrinsic::instrprof_value_profile:
  case Intrinsic::instrprof_cover: return true;
  default: return false;
  }
}

/// Intrinsics of x86 without a meaning for the program's result (by name: the target's header need
/// not be there).
bool isTargetHint(StringRef name) {
  return name == "llvm.x86.sse2.pause" || name == "llvm.x86.sse2.lfence" ||
         name == "llvm.x86.sse2.mfence" || name == "llvm.x86.sse.sfence" ||
         name == "llvm.x86.sse2.clflush";
}

} // namespace

static bool decodeIntegerIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst);
static bool decodeOtherIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst);
static void overflowOp(FunctionEmitter &e, const IntrinsicInst &inst);
static void saturating(FunctionEmitter &e, const IntrinsicInst &inst);

void decodeIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst) {
  if (isWithoutEffect(inst.getIntrinsicID())) return;
  if (decodeMemoryIntrinsic(e, inst) || decodeIntegerIntrinsic(e, inst) ||
      decodeFloatIntrinsic(e, inst) || decodeReduction(e, inst) || decodeOtherIntrinsic(e, inst))
    return;
  StringRef name = inst.getCalledFunction()->getName();
  if (name == "llvm.x86.rdtsc")
    return e.move(e.define(inst), Operand::ofConstant(0), 64); // as readcyclecounter
  if (!isTargetHint(name)) e.fail("intrinsic " + name.str());
}

void minMax(FunctionEmitter &e, CmpInst::Predicate predicate, unsigned bits, uint32_t dst,
            const Operand &a, const Operand &b) {
  uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
  Op op = Op::UMin;
  WideOp wide = WideOp::UMin;
  switch (predicate) {
  case CmpInst::ICMP_SLT: op = Op::SMin, wide = WideOp::SMin; break;
  case CmpInst::ICMP_SGT: op = Op::SMax, wide = WideOp::SMax; break;
  case CmpInst::ICMP_UGT: op = Op::UMax, wide = WideOp::UMax; break;
  default: break;
  }
  if (bits > 64)
    e.emit(Op::WideBin, bits, dst, x, y, 0, static_cast<uint32_t>(wide));
  else
    e.emit(op, bits, dst, x, y);
}

static bool decodeIntegerIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst) {
  auto unary = [&](Op op, uint8_t flags = 0) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i);
      if (s.wide())
        e.emit(Op::WideBit, s.bits, dst, x, 0, 0, static_cast<uint32_t>(op), 0, flags);
      else
        e.emit(op, s.bits, dst, x, 0, 0, 0, 0, flags);
    });
    return true;
  };
  auto extremum = [&](CmpInst::Predicate predicate) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      minMax(e, predicate, s.bits, dst, e.use(inst.getArgOperand(0), i),
             e.use(inst.getArgOperand(1), i));
    });
    return true;
  };
  auto funnel = [&](Op op) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i),
               z = e.useReg(inst.getArgOperand(2), i);
      if (s.wide())
        e.emit(Op::WideBit, s.bits, dst, x, y, z, static_cast<uint32_t>(op));
      else
        e.emit(op, s.bits, dst, x, y, z);
    });
    return true;
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::ctpop: return unary(Op::Ctpop);
  case Intrinsic::ctlz: return unary(Op::Ctlz);
  case Intrinsic::cttz: return unary(Op::Cttz);
  case Intrinsic::bswap: return unary(Op::Bswap);
  case Intrinsic::bitreverse: return unary(Op::Bitreverse);
  case Intrinsic::abs: {
    // abs(INT_MIN): undefined where the programmer wrote abs().
    bool undefined = cast<ConstantInt>(inst.getArgOperand(1))->isOne();
    return unary(Op::AbsN, undefined && e.asWritten ? kNsw : 0);
  }
  case Intrinsic::umin: return extremum(CmpInst::ICMP_ULT);
  case Intrinsic::umax: return extremum(CmpInst::ICMP_UGT);
  case Intrinsic::smin: return extremum(CmpInst::ICMP_SLT);
  case Intrinsic::smax: return extremum(CmpInst::ICMP_SGT);
  case Intrinsic::fshl: return funnel(Op::Fshl);
  case Intrinsic::fshr: return funnel(Op::Fshr);
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::smul_with_overflow: return overflowOp(e, inst), true;
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ushl_sat:
  case Intrinsic::sshl_sat: return saturating(e, inst), true;
  case Intrinsic::ucmp:
  case Intrinsic::scmp: { // (a > b) - (a < b)
    const bool isSigned = inst.getIntrinsicID() == Intrinsic::scmp;
    const Layout &operands = e.layoutOf(inst.getArgOperand(0));
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t above = e.scratch(), below = e.scratch(), wideAbove = e.scratch(s.slots()),
               wideBelow = e.scratch(s.slots());
      Operand a = e.use(inst.getArgOperand(0), i), b = e.use(inst.getArgOperand(1), i);
      compare(e, isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, operands.scalars[i].bits, above,
              a, b);
      compare(e, isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, operands.scalars[i].bits, below,
              a, b);
      zeroExtend(e, wideAbove, s.bits, Operand::ofSlot(above), 1);
      zeroExtend(e, wideBelow, s.bits, Operand::ofSlot(below), 1);
      binary(e, Instruction::Sub, s.bits, dst, Operand::ofSlot(wideAbove),
             Operand::ofSlot(wideBelow));
    });
    return true;
  }
  default: return false;
  }
}

/// Result { value, i1 }, or vectors of both.
static void overflowOp(FunctionEmitter &e, const IntrinsicInst &inst) {
  auto &with = cast<WithOverflowInst>(inst);
  const Layout &operands = e.layoutOf(inst.getArgOperand(0));
  const Layout &result = e.layoutOf(&inst);
  const unsigned lanes = static_cast<unsigned>(operands.scalars.size());
  Op op = Op::UAddO;
  WideOp wide = WideOp::Add;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::sadd_with_overflow: op = Op::SAddO; break;
  case Intrinsic::usub_with_overflow: op = Op::USubO, wide = WideOp::Sub; break;
  case Intrinsic::ssub_with_overflow: op = Op::SSubO, wide = WideOp::Sub; break;
  case Intrinsic::umul_with_overflow: op = Op::UMulO, wide = WideOp::Mul; break;
  case Intrinsic::smul_with_overflow: op = Op::SMulO, wide = WideOp::Mul; break;
  default: break;
  }
  const uint8_t flags = with.isSigned() ? kSigned : 0;
  uint32_t dst = e.define(inst);
  for (unsigned i = 0; i < lanes; ++i) {
    const Scalar &s = operands.scalars[i];
    uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i);
    // A single lane's value and bit lie side by side in the result, as the operation writes them.
    uint32_t to = lanes == 1 ? dst : e.scratch(s.slots() + 1);
    if (s.wide())
      e.emit(Op::WideOverflow, s.bits, to, x, y, 0, static_cast<uint32_t>(wide), 0, flags);
    else
      e.emit(op, s.bits, to, x, y, 0, 0, 0, flags);
    if (lanes == 1) continue;
    e.move(dst + result.scalars[i].slot, Operand::ofSlot(to), s.bits);
    e.move(dst + result.scalars[lanes + i].slot, Operand::ofSlot(to + s.slots()), 1);
  }
}

static void saturating(FunctionEmitter &e, const IntrinsicInst &inst) {
  Op op = Op::UAddSat;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::sadd_sat: op = Op::SAddSat; break;
  case Intrinsic::usub_sat: op = Op::USubSat; break;
  case Intrinsic::ssub_sat: op = Op::SSubSat; break;
  case Intrinsic::ushl_sat: op = Op::UShlSat; break;
  case Intrinsic::sshl_sat: op = Op::SShlSat; break;
  default: break;
  }
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    if (!s.wide()) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i);
      e.emit(op, s.bits, dst, x, y);
      return;
    }
    if (op == Op::UShlSat || op == Op::SShlSat)
      return e.fail("saturating shift of " + std::to_string(s.bits) + " bits");
    // Wide: the overflow operation, then a choice.
    const bool add = op == Op::UAddSat || op == Op::SAddSat,
               isSigned = op == Op::SAddSat || op == Op::SSubSat;
    Operand a = e.use(inst.getArgOperand(0), i);
    uint32_t x = e.reg(a, s.bits), y = e.useReg(inst.getArgOperand(1), i), raw = e.scratch(3);
    e.emit(Op::WideOverflow, s.bits, raw, x, y, 0,
           static_cast<uint32_t>(add ? WideOp::Add : WideOp::Sub), 0, isSigned ? kSigned : 0);
    Operand limit = Operand::ofConstant(0);
    if (isSigned) {
      APInt high = APInt::getSignedMaxValue(s.bits), low = APInt::getSignedMinValue(s.bits);
      uint32_t negative = e.scratch(), bound = e.scratch(2);
      compare(e, CmpInst::ICMP_SLT, s.bits, negative, a, Operand::ofConstant(0));
      select(e, s.bits, bound, Operand::ofSlot(negative),
             Operand::ofConstant(low.getRawData()[0], low.getRawData()[1]),
             Operand::ofConstant(high.getRawData()[0], high.getRawData()[1]));
      limit = Operand::ofSlot(bound);
    } else if (add) {
      Word ones = maskTo({~uint64_t(0), ~uint64_t(0)}, s.bits);
      limit = Operand::ofConstant(ones.lo, ones.hi);
    }
    select(e, s.bits, dst, Operand::ofSlot(raw + 2), limit, Operand::ofSlot(raw));
  });
}

static bool decodeOtherIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst) {
  auto constant = [&](uint64_t value) {
    if (e.layoutOf(&inst).slots)
      e.move(e.define(inst), Operand::ofConstant(value), e.layoutOf(&inst).scalars[0].bits);
    return true;
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap: decodeTrap(e, inst); return true;
  case Intrinsic::is_constant: return constant(0);
  case Intrinsic::objectsize: { // of libc's functions: dropUnevaluated answers the program's own
    const bool isLeast = cast<ConstantInt>(inst.getArgOperand(1))->isOne();
    ObjectSizeOpts options;
    options.EvalMode = isLeast ? ObjectSizeOpts::Mode::Min : ObjectSizeOpts::Mode::Max;
    options.NullIsUnknownSize = cast<ConstantInt>(inst.getArgOperand(2))->isOne();
    uint64_t size = 0;
    if (!getObjectSize(inst.getArgOperand(0), size, e.shared.dl, /*TLI=*/nullptr, options))
      size = isLeast ? 0 : ~uint64_t(0); // as a compiler's code generator
    return constant(size & maskTrailingOnes<uint64_t>(inst.getType()->getIntegerBitWidth()));
  }
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::sponentry:
  case Intrinsic::get_dynamic_area_offset:
  case Intrinsic::invariant_start:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter: return constant(0);
  case Intrinsic::get_rounding:
  case Intrinsic::allow_runtime_check:
  case Intrinsic::allow_ubsan_check:
  case Intrinsic::type_test: return constant(1); // to nearest; yes
  case Intrinsic::ptrmask:
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      if (e.layoutOf(inst.getArgOperand(1)).scalars[i].bits != s.bits)
        return e.fail("ptrmask with a narrow mask");
      binary(e, Instruction::And, s.bits, dst, e.use(inst.getArgOperand(0), i),
             e.use(inst.getArgOperand(1), i));
    });
    return true;
  case Intrinsic::threadlocal_address: {
    const Operand variable = e.use(inst.getArgOperand(0), 0);
    if (!variable.constant) return e.fail("the address of an unknown thread-local variable"), true;
    e.emit(Op::ThreadLocal, 64, e.define(inst), 0, 0, 0, 0, variable.lo);
    return true;
  }
  case Intrinsic::thread_pointer: {
    const Function *callee = e.shared.module.getFunction("__fathom_get_tp");
    if (!callee)
      return e.fail("llvm.thread.pointer: the program has no function __fathom_get_tp"), true;
    return callFunction(e, inst, *callee), true;
  }
  case Intrinsic::vector_reverse: {
    const unsigned lanes = static_cast<unsigned>(e.layoutOf(&inst).scalars.size());
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      e.move(dst, e.use(inst.getArgOperand(0), lanes - 1 - i), s.bits);
    });
    return true;
  }
  case Intrinsic::vector_extract: {
    const unsigned first =
        static_cast<unsigned>(cast<ConstantInt>(inst.getArgOperand(1))->getZExtValue());
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      e.move(dst, e.use(inst.getArgOperand(0), first + i), s.bits);
    });
    return true;
  }
  case Intrinsic::vector_insert: {
    const unsigned first =
        static_cast<unsigned>(cast<ConstantInt>(inst.getArgOperand(2))->getZExtValue());
    const unsigned count = static_cast<unsigned>(e.layoutOf(inst.getArgOperand(1)).scalars.size());
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      bool inserted = i >= first && i < first + count;
      e.move(dst,
             inserted ? e.use(inst.getArgOperand(1), i - first) : e.use(inst.getArgOperand(0), i),
             s.bits);
    });
    return true;
  }
  default: return false;
  }
}

} // namespace fathom::program
