// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TermEmitter: words of more than 64 bits.
#include "jit/TermEmitter.h"

#include <algorithm>

namespace fathom::jit {

using expr::Kind;
using llvm::Value;

Value *TermEmitter::makeWide(ExprPtr e) {
  const unsigned width = e->width();
  auto finish = [&](Value *v) { return width <= 64 ? asWord(v) : v; };
  switch (e->kind()) {
  case Kind::Concat:
    return b.CreateOr(b.CreateShl(zeroExtended(e->op(0), width), e->op(1)->width()),
                      zeroExtended(e->op(1), width));
  case Kind::Extract: {
    Value *v = b.CreateTrunc(b.CreateLShr(value(e->op(0)), e->offset()), b.getIntNTy(width));
    return finish(v);
  }
  case Kind::ZExt: return zeroExtended(e->op(0), width);
  case Kind::SExt: {
    const unsigned from = e->op(0)->width();
    return b.CreateSExt(zeroExtended(e->op(0), from), b.getIntNTy(width));
  }
  case Kind::Not: return b.CreateNot(value(e->op(0)));
  case Kind::Ite: return b.CreateSelect(condition(e->op(0)), value(e->op(1)), value(e->op(2)));
  default: break;
  }
  const unsigned from = e->op(0)->width();
  Value *x = value(e->op(0)), *y = value(e->op(1));
  llvm::Type *type = x->getType();
  Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
  Value *ones = llvm::ConstantInt::getAllOnesValue(type);
  auto compare = [&](llvm::CmpInst::Predicate p) { return fromCondition(b.CreateICmp(p, x, y)); };
  switch (e->kind()) {
  case Kind::And: return b.CreateAnd(x, y);
  case Kind::Or: return b.CreateOr(x, y);
  case Kind::Xor: return b.CreateXor(x, y);
  case Kind::Add: return b.CreateAdd(x, y);
  case Kind::Sub: return b.CreateSub(x, y);
  case Kind::Mul: return b.CreateMul(x, y);
  case Kind::UDiv:
  case Kind::URem:
  case Kind::SDiv:
  case Kind::SRem: {
    // Above 128 bits, LLVM expands a division into a loop instead of calling a library function,
    // which NoSymbols could not resolve; so divide in at least 192 bits. One bit more than the
    // operands have, so that the smallest number divided by -1 does not overflow.
    llvm::Type *loop = b.getIntNTy(std::max(from + 1, 192u));
    const bool isSigned = e->kind() == Kind::SDiv || e->kind() == Kind::SRem;
    auto extend = [&](Value *v) {
      return isSigned ? b.CreateSExt(v, loop) : b.CreateZExt(v, loop);
    };
    Value *isZero = b.CreateICmpEQ(y, zero);
    Value *n = extend(x), *d = extend(b.CreateSelect(isZero, one, y));
    if (e->kind() == Kind::UDiv || e->kind() == Kind::SDiv) {
      Value *v = b.CreateTrunc(isSigned ? b.CreateSDiv(n, d) : b.CreateUDiv(n, d), type);
      Value *byZero = isSigned ? b.CreateSelect(b.CreateICmpSLT(x, zero), one, ones) : ones;
      return b.CreateSelect(isZero, byZero, v);
    }
    Value *v = b.CreateTrunc(isSigned ? b.CreateSRem(n, d) : b.CreateURem(n, d), type);
    return b.CreateSelect(isZero, x, v);
  }
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: {
    Value *fits = b.CreateICmpULT(y, llvm::ConstantInt::get(type, from));
    Value *by = b.CreateSelect(fits, y, zero);
    if (e->kind() == Kind::Shl) return b.CreateSelect(fits, b.CreateShl(x, by), zero);
    if (e->kind() == Kind::LShr) return b.CreateSelect(fits, b.CreateLShr(x, by), zero);
    Value *sign = b.CreateSelect(b.CreateICmpSLT(x, zero), ones, zero);
    return b.CreateSelect(fits, b.CreateAShr(x, by), sign);
  }
  case Kind::Eq: return compare(llvm::CmpInst::ICMP_EQ);
  case Kind::Ult: return compare(llvm::CmpInst::ICMP_ULT);
  case Kind::Ule: return compare(llvm::CmpInst::ICMP_ULE);
  case Kind::Slt: return compare(llvm::CmpInst::ICMP_SLT);
  case Kind::Sle: return compare(llvm::CmpInst::ICMP_SLE);
  default: return nullptr;
  }
}

} // namespace fathom::jit
