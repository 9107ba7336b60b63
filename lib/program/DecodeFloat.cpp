// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point: arithmetic, comparisons, conversions, and the intrinsics that have an operation
// of their own. Constrained intrinsics (musl is compiled with -frounding-math) are decoded as the
// plain operation: rounding is to nearest.
#include "program/DecodeInstructions.h"
#include "program/Operands.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace fathom::program {
namespace {

std::optional<FpMath> unaryMath(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fabs: return FpMath::Fabs;
  case Intrinsic::sqrt:
  case Intrinsic::experimental_constrained_sqrt: return FpMath::Sqrt;
  case Intrinsic::floor:
  case Intrinsic::experimental_constrained_floor: return FpMath::Floor;
  case Intrinsic::ceil:
  case Intrinsic::experimental_constrained_ceil: return FpMath::Ceil;
  case Intrinsic::trunc:
  case Intrinsic::experimental_constrained_trunc: return FpMath::Trunc;
  case Intrinsic::rint:
  case Intrinsic::experimental_constrained_rint: return FpMath::Rint;
  case Intrinsic::nearbyint:
  case Intrinsic::experimental_constrained_nearbyint: return FpMath::Nearbyint;
  case Intrinsic::round:
  case Intrinsic::experimental_constrained_round: return FpMath::Round;
  case Intrinsic::roundeven:
  case Intrinsic::experimental_constrained_roundeven: return FpMath::RoundEven;
  case Intrinsic::canonicalize: return FpMath::Canonicalize;
  default: return std::nullopt;
  }
}

std::optional<FpMath> binaryMath(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::copysign: return FpMath::CopySign;
  case Intrinsic::minnum:
  case Intrinsic::experimental_constrained_minnum: return FpMath::MinNum;
  case Intrinsic::maxnum:
  case Intrinsic::experimental_constrained_maxnum: return FpMath::MaxNum;
  case Intrinsic::minimum:
  case Intrinsic::experimental_constrained_minimum: return FpMath::Minimum;
  case Intrinsic::maximum:
  case Intrinsic::experimental_constrained_maximum: return FpMath::Maximum;
  default: return std::nullopt;
  }
}

/// Base name of the libm function that computes an intrinsic, null if there is none.
const char *libmName(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::pow:
  case Intrinsic::experimental_constrained_pow: return "pow";
  case Intrinsic::exp:
  case Intrinsic::experimental_constrained_exp: return "exp";
  case Intrinsic::exp2:
  case Intrinsic::experimental_constrained_exp2: return "exp2";
  case Intrinsic::exp10: return "exp10";
  case Intrinsic::log:
  case Intrinsic::experimental_constrained_log: return "log";
  case Intrinsic::log2:
  case Intrinsic::experimental_constrained_log2: return "log2";
  case Intrinsic::log10:
  case Intrinsic::experimental_constrained_log10: return "log10";
  case Intrinsic::sin:
  case Intrinsic::experimental_constrained_sin: return "sin";
  case Intrinsic::cos:
  case Intrinsic::experimental_constrained_cos: return "cos";
  case Intrinsic::tan:
  case Intrinsic::experimental_constrained_tan: return "tan";
  case Intrinsic::asin:
  case Intrinsic::experimental_constrained_asin: return "asin";
  case Intrinsic::acos:
  case Intrinsic::experimental_constrained_acos: return "acos";
  case Intrinsic::atan:
  case Intrinsic::experimental_constrained_atan: return "atan";
  case Intrinsic::sinh:
  case Intrinsic::experimental_constrained_sinh: return "sinh";
  case Intrinsic::cosh:
  case Intrinsic::experimental_constrained_cosh: return "cosh";
  case Intrinsic::tanh:
  case Intrinsic::experimental_constrained_tanh: return "tanh";
  default: return nullptr;
  }
}

} // namespace

static bool floatMath(FunctionEmitter &e, Intrinsic::ID id, const CallInst &inst);
static bool libmCall(FunctionEmitter &e, Intrinsic::ID id, const CallInst &inst);

void floatBinary(FunctionEmitter &e, unsigned opcode, FpType type, uint32_t dst, const Operand &a,
                 const Operand &b) {
  const unsigned bits = type == FpType::X87 ? 80 : 64;
  uint32_t x = e.reg(a, bits), y = e.reg(b, bits);
  const bool isDouble = type == FpType::Double;
  Op op = Op::FRem;
  switch (opcode) {
  case Instruction::FAdd: op = isDouble ? Op::FAdd64 : Op::FAdd; break;
  case Instruction::FSub: op = isDouble ? Op::FSub64 : Op::FSub; break;
  case Instruction::FMul: op = isDouble ? Op::FMul64 : Op::FMul; break;
  case Instruction::FDiv: op = isDouble ? Op::FDiv64 : Op::FDiv; break;
  default: assert(opcode == Instruction::FRem && "no floating-point operation"); break;
  }
  e.emit(op, static_cast<unsigned>(type), dst, x, y);
}

void decodeFCmp(FunctionEmitter &e, const Instruction &inst, CmpInst::Predicate predicate) {
  const Layout &operands = e.layoutOf(inst.getOperand(0));
  e.forEachScalar(inst, [&](unsigned i, const Scalar &, uint32_t dst) {
    uint32_t x = e.useReg(inst.getOperand(0), i), y = e.useReg(inst.getOperand(1), i);
    e.emit(Op::FCmp, static_cast<unsigned>(operands.scalars[i].fp), dst, x, y, 0,
           static_cast<uint32_t>(predicate));
  });
}

void decodeFNeg(FunctionEmitter &e, const UnaryOperator &inst) {
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    uint32_t x = e.useReg(inst.getOperand(0), i);
    e.emit(Op::FNeg, static_cast<unsigned>(s.fp), dst, x);
  });
}

void floatCast(FunctionEmitter &e, unsigned opcode, const Instruction &inst, const Value *source,
               bool saturate) {
  const Layout &from = e.layoutOf(source);
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    uint32_t x = e.useReg(source, i);
    const Scalar &a = from.scalars[i];
    const uint8_t flags = saturate ? kSaturate : 0;
    switch (opcode) {
    case Instruction::FPToUI:
      e.emit(Op::FToUI, static_cast<unsigned>(a.fp), dst, x, 0, s.bits, 0, 0, flags);
      break;
    case Instruction::FPToSI:
      e.emit(Op::FToSI, static_cast<unsigned>(a.fp), dst, x, 0, s.bits, 0, 0, flags);
      break;
    case Instruction::UIToFP:
      e.emit(Op::UIToF, static_cast<unsigned>(s.fp), dst, x, 0, a.bits);
      break;
    case Instruction::SIToFP:
      e.emit(Op::SIToF, static_cast<unsigned>(s.fp), dst, x, 0, a.bits);
      break;
    case Instruction::FPExt:
    case Instruction::FPTrunc:
      e.emit(Op::FConv, static_cast<unsigned>(s.fp), dst, x, 0, static_cast<uint32_t>(a.fp));
      break;
    default: e.fail("cast"); break;
    }
  });
}

static bool decodeConstrained(FunctionEmitter &e, const ConstrainedFPIntrinsic &inst) {
  switch (inst.getIntrinsicID()) {
  case Intrinsic::experimental_constrained_fadd:
  case Intrinsic::experimental_constrained_fsub:
  case Intrinsic::experimental_constrained_fmul:
  case Intrinsic::experimental_constrained_fdiv:
  case Intrinsic::experimental_constrained_frem: {
    unsigned opcode =
        inst.getIntrinsicID() == Intrinsic::experimental_constrained_fadd   ? Instruction::FAdd
        : inst.getIntrinsicID() == Intrinsic::experimental_constrained_fsub ? Instruction::FSub
        : inst.getIntrinsicID() == Intrinsic::experimental_constrained_fmul ? Instruction::FMul
        : inst.getIntrinsicID() == Intrinsic::experimental_constrained_fdiv ? Instruction::FDiv
                                                                            : Instruction::FRem;
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      floatBinary(e, opcode, s.fp, dst, e.use(inst.getArgOperand(0), i),
                  e.use(inst.getArgOperand(1), i));
    });
    return true;
  }
  case Intrinsic::experimental_constrained_fcmp:
  case Intrinsic::experimental_constrained_fcmps:
    decodeFCmp(e, inst, cast<ConstrainedFPCmpIntrinsic>(inst).getPredicate());
    return true;
  case Intrinsic::experimental_constrained_fptosi:
    return floatCast(e, Instruction::FPToSI, inst, inst.getArgOperand(0), false), true;
  case Intrinsic::experimental_constrained_fptoui:
    return floatCast(e, Instruction::FPToUI, inst, inst.getArgOperand(0), false), true;
  case Intrinsic::experimental_constrained_sitofp:
    return floatCast(e, Instruction::SIToFP, inst, inst.getArgOperand(0), false), true;
  case Intrinsic::experimental_constrained_uitofp:
    return floatCast(e, Instruction::UIToFP, inst, inst.getArgOperand(0), false), true;
  case Intrinsic::experimental_constrained_fpext:
  case Intrinsic::experimental_constrained_fptrunc:
    return floatCast(e, Instruction::FPExt, inst, inst.getArgOperand(0), false), true;
  default: return floatMath(e, inst.getIntrinsicID(), inst);
  }
}

static bool floatMath(FunctionEmitter &e, Intrinsic::ID id, const CallInst &inst) {
  if (auto math = unaryMath(id)) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i);
      e.emit(Op::FMath1, static_cast<unsigned>(s.fp), dst, x, 0, 0, static_cast<uint32_t>(*math));
    });
    return true;
  }
  if (auto math = binaryMath(id)) {
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i);
      e.emit(Op::FMath2, static_cast<unsigned>(s.fp), dst, x, y, 0, static_cast<uint32_t>(*math));
    });
    return true;
  }
  switch (id) {
  case Intrinsic::fmuladd:
  case Intrinsic::experimental_constrained_fmuladd:
    // May or may not be fused: the native program runs on plain x86-64, which rounds twice.
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t product = e.scratch(s.slots());
      floatBinary(e, Instruction::FMul, s.fp, product, e.use(inst.getArgOperand(0), i),
                  e.use(inst.getArgOperand(1), i));
      floatBinary(e, Instruction::FAdd, s.fp, dst, Operand::ofSlot(product),
                  e.use(inst.getArgOperand(2), i));
    });
    return true;
  case Intrinsic::fma:
  case Intrinsic::experimental_constrained_fma:
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i),
               z = e.useReg(inst.getArgOperand(2), i);
      e.emit(Op::FMa, static_cast<unsigned>(s.fp), dst, x, y, z);
    });
    return true;
  case Intrinsic::lrint:
  case Intrinsic::llrint:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::experimental_constrained_lrint:
  case Intrinsic::experimental_constrained_llrint:
  case Intrinsic::experimental_constrained_lround:
  case Intrinsic::experimental_constrained_llround: {
    bool round = id == Intrinsic::lround || id == Intrinsic::llround ||
                 id == Intrinsic::experimental_constrained_lround ||
                 id == Intrinsic::experimental_constrained_llround;
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i);
      e.emit(Op::FToInt, static_cast<unsigned>(e.layoutOf(inst.getArgOperand(0)).scalars[i].fp),
             dst, x, 0, s.bits, static_cast<uint32_t>(round ? FpMath::Lround : FpMath::Lrint));
    });
    return true;
  }
  case Intrinsic::ldexp:
  case Intrinsic::experimental_constrained_ldexp: {
    const Layout &exponents = e.layoutOf(inst.getArgOperand(1));
    e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
      if (exponents.scalars[i].bits != 32)
        return e.fail("ldexp with an exponent of other than 32 bits");
      uint32_t x = e.useReg(inst.getArgOperand(0), i), y = e.useReg(inst.getArgOperand(1), i);
      e.emit(Op::FLdexp, static_cast<unsigned>(s.fp), dst, x, y);
    });
    return true;
  }
  default: return libmCall(e, id, inst);
  }
}

/// An intrinsic that stands for a function of libm becomes a call of it, if the program has it.
static bool libmCall(FunctionEmitter &e, Intrinsic::ID id, const CallInst &inst) {
  const char *base = libmName(id);
  if (!base) return false;
  const Layout &layout = e.layoutOf(&inst);
  if (layout.scalars.size() != 1) return false;
  FpType type = layout.scalars[0].fp;
  if (type == FpType::Half) return false;
  std::string name = std::string(base) + (type == FpType::Float ? "f"
                                          : type == FpType::X87 ? "l"
                                                                : "");
  const Function *callee = e.shared.module.getFunction(name);
  if (!callee) {
    e.fail(inst.getCalledFunction()->getName().str() + ": the program has no function " + name);
    return true;
  }
  callFunction(e, inst, *callee);
  return true;
}

bool decodeFloatIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst) {
  if (auto *constrained = dyn_cast<ConstrainedFPIntrinsic>(&inst))
    return decodeConstrained(e, *constrained);
  switch (inst.getIntrinsicID()) {
  case Intrinsic::fptosi_sat:
    return floatCast(e, Instruction::FPToSI, inst, inst.getArgOperand(0), /*saturate=*/true), true;
  case Intrinsic::fptoui_sat:
    return floatCast(e, Instruction::FPToUI, inst, inst.getArgOperand(0), /*saturate=*/true), true;
  case Intrinsic::is_fpclass: {
    const Layout &from = e.layoutOf(inst.getArgOperand(0));
    uint64_t mask = cast<ConstantInt>(inst.getArgOperand(1))->getZExtValue();
    e.forEachScalar(inst, [&](unsigned i, const Scalar &, uint32_t dst) {
      uint32_t x = e.useReg(inst.getArgOperand(0), i);
      e.emit(Op::FClass, static_cast<unsigned>(from.scalars[i].fp), dst, x, 0, 0, 0, mask);
    });
    return true;
  }
  case Intrinsic::convert_to_fp16: { // float or double to the bits of a half
    uint32_t x = e.useReg(inst.getArgOperand(0));
    e.emit(Op::FConv, static_cast<unsigned>(FpType::Half), e.define(inst), x, 0,
           static_cast<uint32_t>(e.layoutOf(inst.getArgOperand(0)).scalars[0].fp));
    return true;
  }
  case Intrinsic::convert_from_fp16: {
    uint32_t x = e.useReg(inst.getArgOperand(0));
    e.emit(Op::FConv, static_cast<unsigned>(e.layoutOf(&inst).scalars[0].fp), e.define(inst), x, 0,
           static_cast<uint32_t>(FpType::Half));
    return true;
  }
  default: return floatMath(e, inst.getIntrinsicID(), inst);
  }
}

} // namespace fathom::program
