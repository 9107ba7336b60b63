// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86 intrinsics on floating-point numbers as ordinary instructions (LowerIntrinsics.cpp).
// Approximations (rcp, rsqrt) have no exact meaning. Rounding is to nearest, as everywhere here.
#include "program/VectorLowering.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"

#include <cmath>

using namespace llvm;

namespace fathom::program {
namespace {

using L = VectorLowering;

/// The operation on the lowest elements only; the others are those of the first operand.
template <Value *(*operation)(L &, Value *, Value *)> Value *lowest(L &l) {
  return l.withLane(l.arg(0), 0, operation(l, l.lane(l.arg(0), 0), l.lane(l.arg(1), 0)));
}
template <Value *(*operation)(L &, Value *, Value *)> Value *all(L &l) {
  return operation(l, l.arg(0), l.arg(1));
}

// The second operand where they are equal, or one is a NaN.
Value *minimum(L &l, Value *x, Value *y) { return l.b.CreateSelect(l.b.CreateFCmpOLT(x, y), x, y); }
Value *maximum(L &l, Value *x, Value *y) { return l.b.CreateSelect(l.b.CreateFCmpOGT(x, y), x, y); }

/// All bits set where the predicate holds.
Value *compared(L &l, Value *x, Value *y) {
  static constexpr CmpInst::Predicate kPredicates[] = {
      CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_UNO,
      CmpInst::FCMP_UNE, CmpInst::FCMP_UGE, CmpInst::FCMP_UGT, CmpInst::FCMP_ORD,
      CmpInst::FCMP_UEQ, CmpInst::FCMP_ULT, CmpInst::FCMP_ULE, CmpInst::FCMP_FALSE,
      CmpInst::FCMP_ONE, CmpInst::FCMP_OGE, CmpInst::FCMP_OGT, CmpInst::FCMP_TRUE};
  Value *holds = l.b.CreateFCmp(kPredicates[l.immediate(2) & 15], x, y);
  Type *type = x->getType();
  Type *integer = l.b.getIntNTy(type->getScalarSizeInBits());
  if (type->isVectorTy()) integer = L::withElement(type, integer);
  return l.b.CreateBitCast(l.b.CreateSExt(holds, integer), type);
}

template <CmpInst::Predicate predicate> Value *compareLowest(L &l) {
  Value *holds = l.b.CreateFCmp(predicate, l.lane(l.arg(0), 0), l.lane(l.arg(1), 0));
  return l.b.CreateZExt(holds, l.result());
}

/// A number as an integer, or where none fits the least one.
Value *integerOf(L &l, Value *x, Type *type, bool truncates) {
  Type *from = x->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value *whole = l.b.CreateUnaryIntrinsic(truncates ? Intrinsic::trunc : Intrinsic::nearbyint, x);
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  Value *fits = l.b.CreateAnd(l.b.CreateFCmpOGE(whole, ConstantFP::get(from, -limit)),
                              l.b.CreateFCmpOLT(whole, ConstantFP::get(from, limit)));
  Value *inside = l.b.CreateSelect(fits, whole, Constant::getNullValue(from));
  return l.b.CreateSelect(fits, l.b.CreateFPToSI(inside, type),
                          ConstantInt::get(type, APInt::getSignedMinValue(bits)));
}
template <bool truncates> Value *lowestToInteger(L &l) {
  return integerOf(l, l.lane(l.arg(0), 0), l.result(), truncates);
}
/// Elements of the result that no element of the operand belongs to are 0.
template <bool truncates> Value *toIntegers(L &l) {
  const unsigned lanes = L::lanesOf(l.arg(0)->getType());
  return l.build(l.result(), [&](unsigned i) -> Value * {
    Type *type = l.result()->getScalarType();
    if (i >= lanes) return Constant::getNullValue(type);
    return integerOf(l, l.lane(l.arg(0), i), type, truncates);
  });
}
Value *toFloats(L &l) {
  const unsigned lanes = L::lanesOf(l.arg(0)->getType());
  return l.build(l.result(), [&](unsigned i) -> Value * {
    Type *type = l.result()->getScalarType();
    if (i >= lanes) return Constant::getNullValue(type);
    return l.b.CreateFPTrunc(l.lane(l.arg(0), i), type);
  });
}
Value *lowestToFloat(L &l) {
  return l.withLane(l.arg(0), 0,
                    l.b.CreateFPTrunc(l.lane(l.arg(1), 0), l.result()->getScalarType()));
}

Value *rounded(L &l, Value *x, uint64_t control) {
  static constexpr Intrinsic::ID kModes[] = {Intrinsic::nearbyint, Intrinsic::floor,
                                             Intrinsic::ceil, Intrinsic::trunc};
  return l.b.CreateUnaryIntrinsic(control & 4 ? Intrinsic::nearbyint : kModes[control & 3], x);
}
Value *roundAll(L &l) { return rounded(l, l.arg(0), l.immediate(1)); }
Value *roundLowest(L &l) {
  return l.withLane(l.arg(0), 0, rounded(l, l.lane(l.arg(1), 0), l.immediate(2)));
}

Value *addFloatPairs(L &l) {
  return l.b.CreateFAdd(l.everySecond(l.arg(0), l.arg(1), 0), l.everySecond(l.arg(0), l.arg(1), 1));
}
Value *subtractFloatPairs(L &l) {
  return l.b.CreateFSub(l.everySecond(l.arg(0), l.arg(1), 0), l.everySecond(l.arg(0), l.arg(1), 1));
}
Value *subtractAndAdd(L &l) {
  Value *difference = l.b.CreateFSub(l.arg(0), l.arg(1)), *sum = l.b.CreateFAdd(l.arg(0), l.arg(1));
  const unsigned lanes = L::lanesOf(l.result());
  return l.choose(difference, sum, lanes, [&](unsigned i) { return i % 2 ? lanes + i : i; });
}

/// Products are added in pairs, and the pairs' sums.
Value *dotProduct(L &l) {
  Type *type = l.result()->getScalarType();
  Constant *none = Constant::getNullValue(type);
  const uint64_t control = l.immediate(2);
  const unsigned lanes = L::lanesOf(l.result());
  SmallVector<Value *, 4> sums;
  for (unsigned i = 0; i < lanes; ++i)
    sums.push_back(control >> (4 + i) & 1 ? l.b.CreateFMul(l.lane(l.arg(0), i), l.lane(l.arg(1), i))
                                          : none);
  for (; sums.size() > 1; sums.resize(sums.size() / 2))
    for (size_t i = 0; i < sums.size() / 2; ++i)
      sums[i] = l.b.CreateFAdd(sums[2 * i], sums[2 * i + 1]);
  return l.build(l.result(), [&](unsigned i) { return control >> i & 1 ? sums[0] : none; });
}

Value *insertElement(L &l) {
  const uint64_t control = l.immediate(2);
  Value *v = l.withLane(l.arg(0), static_cast<unsigned>(control >> 4 & 3),
                        l.lane(l.arg(1), static_cast<unsigned>(control >> 6)));
  for (unsigned i = 0; i < 4; ++i)
    if (control >> i & 1) v = l.withLane(v, i, Constant::getNullValue(l.b.getFloatTy()));
  return v;
}

const StringMap<LowerIntrinsic> &floatTable() {
  static const StringMap<LowerIntrinsic> kTable = {
      {"sse.min.ps", all<minimum>},
      {"sse.max.ps", all<maximum>},
      {"sse2.min.pd", all<minimum>},
      {"sse2.max.pd", all<maximum>},
      {"avx.min.ps.256", all<minimum>},
      {"avx.max.ps.256", all<maximum>},
      {"avx.min.pd.256", all<minimum>},
      {"avx.max.pd.256", all<maximum>},
      {"sse.min.ss", lowest<minimum>},
      {"sse.max.ss", lowest<maximum>},
      {"sse2.min.sd", lowest<minimum>},
      {"sse2.max.sd", lowest<maximum>},
      {"sse.cmp.ps", all<compared>},
      {"sse2.cmp.pd", all<compared>},
      {"avx.cmp.ps.256", all<compared>},
      {"avx.cmp.pd.256", all<compared>},
      {"sse.cmp.ss", lowest<compared>},
      {"sse2.cmp.sd", lowest<compared>},
#define FATHOM_COMPARE(name, predicate)                                                            \
  {"sse.comi" name ".ss", compareLowest<CmpInst::predicate>},                                      \
      {"sse.ucomi" name ".ss", compareLowest<CmpInst::predicate>},                                 \
      {"sse2.comi" name ".sd", compareLowest<CmpInst::predicate>}, {                               \
    "sse2.ucomi" name ".sd", compareLowest<CmpInst::predicate>                                     \
  }
      FATHOM_COMPARE("eq", FCMP_OEQ),
      FATHOM_COMPARE("lt", FCMP_OLT),
      FATHOM_COMPARE("le", FCMP_OLE),
      FATHOM_COMPARE("gt", FCMP_OGT),
      FATHOM_COMPARE("ge", FCMP_OGE),
      FATHOM_COMPARE("neq", FCMP_UNE),
#undef FATHOM_COMPARE
      {"sse.cvtss2si", lowestToInteger<false>},
      {"sse.cvtss2si64", lowestToInteger<false>},
      {"sse.cvttss2si", lowestToInteger<true>},
      {"sse.cvttss2si64", lowestToInteger<true>},
      {"sse2.cvtsd2si", lowestToInteger<false>},
      {"sse2.cvtsd2si64", lowestToInteger<false>},
      {"sse2.cvttsd2si", lowestToInteger<true>},
      {"sse2.cvttsd2si64", lowestToInteger<true>},
      {"sse2.cvtps2dq", toIntegers<false>},
      {"sse2.cvttps2dq", toIntegers<true>},
      {"sse2.cvtpd2dq", toIntegers<false>},
      {"sse2.cvttpd2dq", toIntegers<true>},
      {"sse2.cvtpd2ps", toFloats},
      {"sse2.cvtsd2ss", lowestToFloat},
      {"sse41.round.ps", roundAll},
      {"sse41.round.pd", roundAll},
      {"sse41.round.ss", roundLowest},
      {"sse41.round.sd", roundLowest},
      {"avx.round.ps.256", roundAll},
      {"avx.round.pd.256", roundAll},
      {"sse3.hadd.ps", addFloatPairs},
      {"sse3.hadd.pd", addFloatPairs},
      {"avx.hadd.ps.256", addFloatPairs},
      {"avx.hadd.pd.256", addFloatPairs},
      {"sse3.hsub.ps", subtractFloatPairs},
      {"sse3.hsub.pd", subtractFloatPairs},
      {"avx.hsub.ps.256", subtractFloatPairs},
      {"avx.hsub.pd.256", subtractFloatPairs},
      {"sse3.addsub.ps", subtractAndAdd},
      {"sse3.addsub.pd", subtractAndAdd},
      {"avx.addsub.ps.256", subtractAndAdd},
      {"avx.addsub.pd.256", subtractAndAdd},
      {"sse41.dpps", dotProduct},
      {"sse41.dppd", dotProduct},
      {"sse41.insertps", insertElement},
  };
  return kTable;
}

} // namespace

LowerIntrinsic findFloatLowering(StringRef name) { return floatTable().lookup(name); }

} // namespace fathom::program
