// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TermEmitter: floating point.
#include "jit/TermEmitter.h"

#include "expr/FloatFold.h"
#include "jit/TermCode.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <cstddef>

namespace fathom::jit {

using expr::Kind;
using llvm::Value;

/// Common operations on float and double as instructions, with the NaNs of FloatFold.h; the others
/// as calls.
Value *TermEmitter::makeFloat(ExprPtr e) {
  const expr::FloatOperation o = expr::FloatOperation::of(e);
  auto isHost = [](unsigned width) { return width == 32 || width == 64; };
  auto type = [&](unsigned width) { return width == 32 ? b.getFloatTy() : b.getDoubleTy(); };
  auto number = [&](Value *bits, unsigned width) {
    return b.CreateBitCast(width == 32 ? b.CreateTrunc(bits, b.getInt32Ty()) : bits, type(width));
  };
  auto bits = [&](Value *number, unsigned width) {
    return asWord(b.CreateBitCast(number, b.getIntNTy(width)));
  };
  auto isNaN = [&](Value *number) { return b.CreateFCmpUNO(number, number); };
  Value *a = value(e->op(0)), *c = e->numOps() > 1 ? value(e->op(1)) : nullptr;

  if (isHost(o.operandWidth)) {
    const expr::FloatFormat format = expr::floatFormat(o.operandWidth);
    auto quiet = [&](Value *v) { return b.CreateOr(v, constant(format.quietBit())); };
    auto compare = [&](llvm::CmpInst::Predicate p) {
      Value *i1 = b.CreateFCmp(p, number(a, o.operandWidth), number(c, o.operandWidth));
      conditions_[e] = i1;
      return fromCondition(i1);
    };
    switch (o.kind) {
    case Kind::FEq: return compare(llvm::CmpInst::FCMP_OEQ);
    case Kind::FLt: return compare(llvm::CmpInst::FCMP_OLT);
    case Kind::FLe: return compare(llvm::CmpInst::FCMP_OLE);
    case Kind::FAdd:
    case Kind::FSub:
    case Kind::FMul:
    case Kind::FDiv: {
      Value *x = number(a, o.width), *y = number(c, o.width);
      Value *r = o.kind == Kind::FAdd   ? b.CreateFAdd(x, y)
                 : o.kind == Kind::FSub ? b.CreateFSub(x, y)
                 : o.kind == Kind::FMul ? b.CreateFMul(x, y)
                                        : b.CreateFDiv(x, y);
      Value *nan = b.CreateSelect(isNaN(y), quiet(c), constant(format.defaultNaN()));
      nan = b.CreateSelect(isNaN(x), quiet(a), nan);
      return b.CreateSelect(isNaN(r), nan, bits(r, o.width));
    }
    case Kind::FToS: {
      // cvttsd2si gives exactly the "integer indefinite" of FloatFold.h.
      if (o.operandWidth != 64 || !isHost(o.width)) break;
      Value *vector = b.CreateInsertElement(
          llvm::Constant::getNullValue(llvm::FixedVectorType::get(b.getDoubleTy(), 2)),
          number(a, 64), b.getInt32(0));
      return asWord(b.CreateIntrinsic(o.width == 64 ? llvm::Intrinsic::x86_sse2_cvttsd2si64
                                                    : llvm::Intrinsic::x86_sse2_cvttsd2si,
                                      {}, {vector}));
    }
    default: break;
    }
  }
  if (isHost(o.width) && (o.kind == Kind::SToF || (o.kind == Kind::UToF && o.operandWidth < 64))) {
    Value *integer = o.kind == Kind::SToF ? signExtended(a, o.operandWidth) : a;
    return bits(b.CreateSIToFP(integer, type(o.width)), o.width);
  }
  const uint32_t operation = static_cast<uint32_t>(o.kind) |
                             static_cast<uint32_t>(o.rounding) << 8 | o.width << 16 |
                             o.operandWidth << 24;
  auto *signature =
      llvm::FunctionType::get(i64, {b.getInt32Ty(), i64, i64, i64}, /*isVarArg=*/false);
  callsOut_ = true;
  Value *callee =
      b.CreateLoad(b.getPtrTy(), byteAddress(calls_, constant(offsetof(TermCalls, floating))));
  Value *second = c ? c : constant(0), *third = e->numOps() > 2 ? value(e->op(2)) : constant(0);
  return b.CreateCall(signature, callee, {b.getInt32(operation), a, second, third});
}

} // namespace fathom::jit
