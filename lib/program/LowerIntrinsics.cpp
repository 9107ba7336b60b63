// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86 intrinsics on integers that have an exact meaning in ordinary instructions become those
// (LowerIntrinsicsFloat.cpp: on floating-point numbers). What clang's headers write as generic
// vector code does not come here. Nothing here branches, so that branches have the same numbers in
// variants of the program that are made without it.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
#include "program/Prepare.h"
#include "program/VectorLowering.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {

uint64_t VectorLowering::immediate(unsigned i) const {
  return cast<ConstantInt>(arg(i))->getZExtValue();
}
unsigned VectorLowering::lanesOf(Type *vector) {
  return cast<FixedVectorType>(vector)->getNumElements();
}
unsigned VectorLowering::lanesOfBlock(Type *vector) { return 128 / vector->getScalarSizeInBits(); }
Type *VectorLowering::withElement(Type *vector, Type *element) {
  return FixedVectorType::get(element, lanesOf(vector));
}
Type *VectorLowering::withWidth(Type *vector, unsigned bits) {
  return withElement(vector, IntegerType::get(vector->getContext(), bits));
}

Value *VectorLowering::build(Type *vector, function_ref<Value *(unsigned)> element) {
  Value *all = PoisonValue::get(vector);
  for (unsigned i = 0; i < lanesOf(vector); ++i) all = withLane(all, i, element(i));
  return all;
}

Value *VectorLowering::choose(Value *x, Value *y, unsigned count,
                              function_ref<unsigned(unsigned)> from) {
  SmallVector<int, 32> mask;
  for (unsigned i = 0; i < count; ++i) mask.push_back(static_cast<int>(from(i)));
  return b.CreateShuffleVector(x, y, mask);
}

Value *VectorLowering::saturate(Value *vector, unsigned bits, bool isSigned) {
  Type *type = vector->getType();
  const unsigned from = type->getScalarSizeInBits();
  APInt least =
      isSigned ? APInt::getSignedMinValue(bits).sext(from) : APInt::getMinValue(bits).zext(from);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(bits).sext(from) : APInt::getMaxValue(bits).zext(from);
  Value *v = b.CreateBinaryIntrinsic(Intrinsic::smax, vector, ConstantInt::get(type, least));
  v = b.CreateBinaryIntrinsic(Intrinsic::smin, v, ConstantInt::get(type, most));
  return b.CreateTrunc(v, withWidth(type, bits));
}

Value *VectorLowering::everySecond(Value *x, Value *y, unsigned first) {
  const unsigned lanes = lanesOf(x->getType()), block = lanesOfBlock(x->getType());
  return choose(x, y, lanes, [&](unsigned i) {
    const unsigned within = i % block, start = i - within;
    return within < block / 2 ? start + 2 * within + first
                              : lanes + start + 2 * (within - block / 2) + first;
  });
}

Value *VectorLowering::bits(Value *vector) {
  return b.CreateBitCast(vector,
                         withWidth(vector->getType(), vector->getType()->getScalarSizeInBits()));
}

namespace {

using L = VectorLowering;

Constant *zero(Type *type) { return Constant::getNullValue(type); }

Value *signMask(L &l) {
  Value *v = l.bits(l.arg(0));
  Value *negative = l.b.CreateICmpSLT(v, zero(v->getType()));
  Value *mask = l.b.CreateBitCast(negative, l.b.getIntNTy(L::lanesOf(v->getType())));
  return l.b.CreateZExt(mask, l.result());
}

Value *difference(L &l, Value *x, Value *y) { // of unsigned numbers, without sign
  return l.b.CreateSub(l.b.CreateBinaryIntrinsic(Intrinsic::umax, x, y),
                       l.b.CreateBinaryIntrinsic(Intrinsic::umin, x, y));
}

Value *sumsOfDifferences(L &l) {
  Value *d = difference(l, l.arg(0), l.arg(1));
  Type *element = l.result()->getScalarType();
  d = l.b.CreateZExt(d, L::withElement(d->getType(), element));
  return l.build(l.result(), [&](unsigned i) {
    Value *sum = l.lane(d, 8 * i);
    for (unsigned k = 1; k < 8; ++k) sum = l.b.CreateAdd(sum, l.lane(d, 8 * i + k));
    return sum;
  });
}

template <bool isSigned> Value *pack(L &l) {
  const unsigned bits = l.result()->getScalarSizeInBits();
  Value *x = l.saturate(l.arg(0), bits, isSigned), *y = l.saturate(l.arg(1), bits, isSigned);
  const unsigned lanes = L::lanesOf(x->getType()), block = L::lanesOfBlock(l.arg(0)->getType());
  return l.choose(x, y, 2 * lanes, [&](unsigned i) {
    const unsigned within = i % (2 * block), start = i / (2 * block) * block;
    return within < block ? start + within : lanes + start + within - block;
  });
}

/// The sums of neighbouring products, signed by signed. All sums fit but one, which wraps.
Value *multiplyAdd(L &l) {
  Type *wide = L::withWidth(l.arg(0)->getType(), 32);
  Value *p = l.b.CreateMul(l.b.CreateSExt(l.arg(0), wide), l.b.CreateSExt(l.arg(1), wide));
  const unsigned lanes = L::lanesOf(l.result());
  return l.b.CreateAdd(l.choose(p, p, lanes, [](unsigned i) { return 2 * i; }),
                       l.choose(p, p, lanes, [](unsigned i) { return 2 * i + 1; }));
}

/// Unsigned by signed, and the sums saturate.
Value *multiplyAddBytes(L &l) {
  Type *wide = L::withWidth(l.arg(0)->getType(), 32);
  Value *p = l.b.CreateMul(l.b.CreateZExt(l.arg(0), wide), l.b.CreateSExt(l.arg(1), wide));
  const unsigned lanes = L::lanesOf(l.result());
  return l.saturate(l.b.CreateAdd(l.choose(p, p, lanes, [](unsigned i) { return 2 * i; }),
                                  l.choose(p, p, lanes, [](unsigned i) { return 2 * i + 1; })),
                    16, /*isSigned=*/true);
}

template <bool isSigned> Value *multiplyHigh(L &l) {
  Type *wide = L::withWidth(l.result(), 32);
  auto extend = [&](Value *v) {
    return isSigned ? l.b.CreateSExt(v, wide) : l.b.CreateZExt(v, wide);
  };
  Value *p = l.b.CreateMul(extend(l.arg(0)), extend(l.arg(1)));
  return l.b.CreateTrunc(l.b.CreateLShr(p, 16), l.result());
}

Value *multiplyHighRounded(L &l) {
  Type *wide = L::withWidth(l.result(), 32);
  Value *p = l.b.CreateMul(l.b.CreateSExt(l.arg(0), wide), l.b.CreateSExt(l.arg(1), wide));
  p = l.b.CreateAdd(l.b.CreateAShr(p, 14), ConstantInt::get(wide, 1));
  return l.b.CreateTrunc(l.b.CreateAShr(p, 1), l.result());
}

Value *average(L &l) {
  Type *wide = L::withWidth(l.result(), 32);
  Value *sum = l.b.CreateAdd(l.b.CreateZExt(l.arg(0), wide), l.b.CreateZExt(l.arg(1), wide));
  return l.b.CreateTrunc(l.b.CreateLShr(l.b.CreateAdd(sum, ConstantInt::get(wide, 1)), 1),
                         l.result());
}

enum class Shift { Left, Logical, Arithmetic };

/// `counts` are of the elements' type, or wider; beyond the width, all bits are shifted out.
template <Shift shift> Value *shiftBy(L &l, Value *counts, Value *isBeyond) {
  Type *type = l.result();
  const unsigned bits = type->getScalarSizeInBits();
  Value *most = ConstantInt::get(counts->getType(), shift == Shift::Arithmetic ? bits - 1 : 0);
  counts = l.b.CreateZExtOrTrunc(l.b.CreateSelect(isBeyond, most, counts),
                                 counts->getType()->isVectorTy() ? type : type->getScalarType());
  if (!counts->getType()->isVectorTy()) counts = l.b.CreateVectorSplat(L::lanesOf(type), counts);
  switch (shift) {
  case Shift::Arithmetic: return l.b.CreateAShr(l.arg(0), counts);
  case Shift::Left: return l.b.CreateSelect(isBeyond, zero(type), l.b.CreateShl(l.arg(0), counts));
  case Shift::Logical:
    return l.b.CreateSelect(isBeyond, zero(type), l.b.CreateLShr(l.arg(0), counts));
  }
}

/// All elements by one number: an integer, or the lower half of a register.
template <Shift shift> Value *shiftAll(L &l) {
  Value *count = l.arg(1);
  if (count->getType()->isVectorTy())
    count = l.lane(l.b.CreateBitCast(count, FixedVectorType::get(l.b.getInt64Ty(), 2)), 0);
  const unsigned bits = l.result()->getScalarSizeInBits();
  return shiftBy<shift>(l, count,
                        l.b.CreateICmpUGE(count, ConstantInt::get(count->getType(), bits)));
}

template <Shift shift> Value *shiftEach(L &l) {
  const unsigned bits = l.result()->getScalarSizeInBits();
  return shiftBy<shift>(l, l.arg(1),
                        l.b.CreateICmpUGE(l.arg(1), ConstantInt::get(l.result(), bits)));
}

Value *shuffleBytes(L &l) {
  return l.build(l.result(), [&](unsigned i) {
    const unsigned start = i / 16 * 16;
    Value *control = l.lane(l.arg(1), i);
    Value *from = l.b.CreateZExt(l.b.CreateAnd(control, 15), l.b.getInt32Ty());
    if (start) from = l.b.CreateAdd(from, l.b.getInt32(start));
    return l.b.CreateSelect(l.b.CreateICmpSLT(control, l.b.getInt8(0)), l.b.getInt8(0),
                            l.b.CreateExtractElement(l.arg(0), from));
  });
}

Value *addPairs(L &l) {
  return l.b.CreateAdd(l.everySecond(l.arg(0), l.arg(1), 0), l.everySecond(l.arg(0), l.arg(1), 1));
}
Value *subtractPairs(L &l) {
  return l.b.CreateSub(l.everySecond(l.arg(0), l.arg(1), 0), l.everySecond(l.arg(0), l.arg(1), 1));
}
template <Intrinsic::ID operation> Value *pairs(L &l) {
  return l.b.CreateBinaryIntrinsic(operation, l.everySecond(l.arg(0), l.arg(1), 0),
                                   l.everySecond(l.arg(0), l.arg(1), 1));
}

Value *withSign(L &l) {
  Constant *none = zero(l.result());
  Value *v = l.b.CreateSelect(l.b.CreateICmpSLT(l.arg(1), none), l.b.CreateNeg(l.arg(0)), l.arg(0));
  return l.b.CreateSelect(l.b.CreateICmpEQ(l.arg(1), none), none, v);
}

Value *minimumAndPlace(L &l) {
  Value *least = l.lane(l.arg(0), 0), *at = l.b.getInt16(0);
  for (unsigned i = 1; i < 8; ++i) {
    Value *next = l.lane(l.arg(0), i), *isLess = l.b.CreateICmpULT(next, least);
    least = l.b.CreateSelect(isLess, next, least);
    at = l.b.CreateSelect(isLess, l.b.getInt16(static_cast<uint16_t>(i)), at);
  }
  return l.withLane(l.withLane(zero(l.result()), 0, least), 1, at);
}

Value *sumsOfFourDifferences(L &l) {
  return l.build(l.result(), [&](unsigned i) {
    const unsigned block = i / 8;
    const uint64_t control = l.immediate(2) >> (3 * block);
    const auto x = static_cast<unsigned>(uint64_t(16) * block + (control & 4) + i % 8),
               y = static_cast<unsigned>(uint64_t(16) * block + (control & 3) * 4);
    Value *sum = l.b.getInt16(0);
    for (unsigned k = 0; k < 4; ++k)
      sum = l.b.CreateAdd(
          sum, l.b.CreateZExt(difference(l, l.lane(l.arg(0), x + k), l.lane(l.arg(1), y + k)),
                              l.b.getInt16Ty()));
    return sum;
  });
}

/// Has the vector a bit that is set?
Value *isAny(L &l, Value *v) {
  Value *all = l.lane(v, 0);
  for (unsigned i = 1; i < L::lanesOf(v->getType()); ++i) all = l.b.CreateOr(all, l.lane(v, i));
  return l.b.CreateICmpNE(all, zero(all->getType()));
}
Value *commonBits(L &l) { return isAny(l, l.b.CreateAnd(l.arg(0), l.arg(1))); }
Value *bitsBeyond(L &l) { return isAny(l, l.b.CreateAnd(l.b.CreateNot(l.arg(0)), l.arg(1))); }
Value *testZero(L &l) { return l.b.CreateZExt(l.b.CreateNot(commonBits(l)), l.result()); }
Value *testCarry(L &l) { return l.b.CreateZExt(l.b.CreateNot(bitsBeyond(l)), l.result()); }
Value *testNeither(L &l) {
  Value *common = commonBits(l);
  return l.b.CreateZExt(l.b.CreateAnd(common, bitsBeyond(l)), l.result());
}

Value *blend(L &l) {
  Value *mask = l.bits(l.arg(2));
  return l.b.CreateSelect(l.b.CreateICmpSLT(mask, zero(mask->getType())), l.arg(1), l.arg(0));
}

Value *loadUnaligned(L &l) { return l.b.CreateAlignedLoad(l.result(), l.arg(0), Align(1)); }

/// x, of which only the lowest `count` bits are left; count < 256.
Value *lowBits(L &l, Value *x, Value *count) {
  Type *type = l.result();
  const unsigned bits = type->getIntegerBitWidth();
  Value *isAll = l.b.CreateICmpUGE(count, ConstantInt::get(type, bits));
  Value *n = l.b.CreateSelect(isAll, zero(type), count);
  Value *mask =
      l.b.CreateSub(l.b.CreateShl(ConstantInt::get(type, 1), n), ConstantInt::get(type, 1));
  return l.b.CreateSelect(isAll, x, l.b.CreateAnd(x, mask));
}
Value *zeroHigh(L &l) { return lowBits(l, l.arg(0), l.b.CreateAnd(l.arg(1), 255)); }
Value *extractBits(L &l) {
  Type *type = l.result();
  const unsigned bits = type->getIntegerBitWidth();
  Value *start = l.b.CreateAnd(l.arg(1), 255);
  Value *isBeyond = l.b.CreateICmpUGE(start, ConstantInt::get(type, bits));
  Value *x = l.b.CreateLShr(l.arg(0), l.b.CreateSelect(isBeyond, zero(type), start));
  x = l.b.CreateSelect(isBeyond, zero(type), x);
  return lowBits(l, x, l.b.CreateAnd(l.b.CreateLShr(l.arg(1), 8), 255));
}

/// { carry, sum } of a carry (any number but 0) and two words.
template <bool isSubtraction> Value *withCarry(L &l) {
  Type *word = l.arg(1)->getType();
  const unsigned bits = word->getIntegerBitWidth();
  Type *wide = l.b.getIntNTy(2 * bits);
  Value *carry = l.b.CreateZExt(l.b.CreateICmpNE(l.arg(0), l.b.getInt8(0)), wide);
  Value *x = l.b.CreateZExt(l.arg(1), wide),
        *y = l.b.CreateAdd(l.b.CreateZExt(l.arg(2), wide), carry);
  Value *sum = isSubtraction ? l.b.CreateSub(x, y) : l.b.CreateAdd(x, y);
  Value *out = l.b.CreateAnd(l.b.CreateTrunc(l.b.CreateLShr(sum, bits), l.b.getInt8Ty()), 1);
  Value *all = l.b.CreateInsertValue(PoisonValue::get(l.result()), out, 0);
  return l.b.CreateInsertValue(all, l.b.CreateTrunc(sum, word), 1);
}

const StringMap<LowerIntrinsic> &table() {
  static const StringMap<LowerIntrinsic> kTable = {
      {"sse2.pmovmskb.128", signMask},
      {"avx2.pmovmskb", signMask},
      {"sse.movmsk.ps", signMask},
      {"sse2.movmsk.pd", signMask},
      {"avx.movmsk.ps.256", signMask},
      {"avx.movmsk.pd.256", signMask},
      {"sse2.psad.bw", sumsOfDifferences},
      {"avx2.psad.bw", sumsOfDifferences},
      {"sse2.packsswb.128", pack<true>},
      {"sse2.packssdw.128", pack<true>},
      {"sse2.packuswb.128", pack<false>},
      {"sse41.packusdw", pack<false>},
      {"avx2.packsswb", pack<true>},
      {"avx2.packssdw", pack<true>},
      {"avx2.packuswb", pack<false>},
      {"avx2.packusdw", pack<false>},
      {"sse2.pmadd.wd", multiplyAdd},
      {"avx2.pmadd.wd", multiplyAdd},
      {"ssse3.pmadd.ub.sw.128", multiplyAddBytes},
      {"avx2.pmadd.ub.sw", multiplyAddBytes},
      {"sse2.pmulh.w", multiplyHigh<true>},
      {"avx2.pmulh.w", multiplyHigh<true>},
      {"sse2.pmulhu.w", multiplyHigh<false>},
      {"avx2.pmulhu.w", multiplyHigh<false>},
      {"ssse3.pmul.hr.sw.128", multiplyHighRounded},
      {"avx2.pmul.hr.sw", multiplyHighRounded},
      {"sse2.pavg.b", average},
      {"sse2.pavg.w", average},
      {"avx2.pavg.b", average},
      {"avx2.pavg.w", average},
      {"ssse3.pshuf.b.128", shuffleBytes},
      {"avx2.pshuf.b", shuffleBytes},
      {"ssse3.phadd.w.128", addPairs},
      {"ssse3.phadd.d.128", addPairs},
      {"avx2.phadd.w", addPairs},
      {"avx2.phadd.d", addPairs},
      {"ssse3.phsub.w.128", subtractPairs},
      {"ssse3.phsub.d.128", subtractPairs},
      {"avx2.phsub.w", subtractPairs},
      {"avx2.phsub.d", subtractPairs},
      {"ssse3.phadd.sw.128", pairs<Intrinsic::sadd_sat>},
      {"avx2.phadd.sw", pairs<Intrinsic::sadd_sat>},
      {"ssse3.phsub.sw.128", pairs<Intrinsic::ssub_sat>},
      {"avx2.phsub.sw", pairs<Intrinsic::ssub_sat>},
      {"ssse3.psign.b.128", withSign},
      {"ssse3.psign.w.128", withSign},
      {"ssse3.psign.d.128", withSign},
      {"avx2.psign.b", withSign},
      {"avx2.psign.w", withSign},
      {"avx2.psign.d", withSign},
      {"sse41.phminposuw", minimumAndPlace},
      {"sse41.mpsadbw", sumsOfFourDifferences},
      {"avx2.mpsadbw", sumsOfFourDifferences},
      {"sse41.ptestz", testZero},
      {"sse41.ptestc", testCarry},
      {"sse41.ptestnzc", testNeither},
      {"avx.ptestz.256", testZero},
      {"avx.ptestc.256", testCarry},
      {"avx.ptestnzc.256", testNeither},
      {"sse41.pblendvb", blend},
      {"sse41.blendvps", blend},
      {"sse41.blendvpd", blend},
      {"avx2.pblendvb", blend},
      {"avx.blendv.ps.256", blend},
      {"avx.blendv.pd.256", blend},
      {"sse3.ldu.dq", loadUnaligned},
      {"avx.ldu.dq.256", loadUnaligned},
      {"bmi.bextr.32", extractBits},
      {"bmi.bextr.64", extractBits},
      {"bmi.bzhi.32", zeroHigh},
      {"bmi.bzhi.64", zeroHigh},
      {"addcarry.32", withCarry<false>},
      {"addcarry.64", withCarry<false>},
      {"subborrow.32", withCarry<true>},
      {"subborrow.64", withCarry<true>},
#define FATHOM_SHIFT(set, kind, how)                                                               \
  {set kind ".w", shiftAll<how>}, {set kind "i.w", shiftAll<how>}, {set kind ".d", shiftAll<how>}, \
      {set kind "i.d", shiftAll<how>}, {set kind ".q", shiftAll<how>}, {                           \
    set kind "i.q", shiftAll<how>                                                                  \
  }
      FATHOM_SHIFT("sse2.", "psll", Shift::Left),
      FATHOM_SHIFT("sse2.", "psrl", Shift::Logical),
      FATHOM_SHIFT("sse2.", "psra", Shift::Arithmetic),
      FATHOM_SHIFT("avx2.", "psll", Shift::Left),
      FATHOM_SHIFT("avx2.", "psrl", Shift::Logical),
      FATHOM_SHIFT("avx2.", "psra", Shift::Arithmetic),
#undef FATHOM_SHIFT
#define FATHOM_SHIFT(kind, how)                                                                    \
  {"avx2." kind ".d", shiftEach<how>}, {"avx2." kind ".q", shiftEach<how>},                        \
      {"avx2." kind ".d.256", shiftEach<how>}, {                                                   \
    "avx2." kind ".q.256", shiftEach<how>                                                          \
  }
      FATHOM_SHIFT("psllv", Shift::Left),
      FATHOM_SHIFT("psrlv", Shift::Logical),
      FATHOM_SHIFT("psrav", Shift::Arithmetic),
#undef FATHOM_SHIFT
  };
  return kTable;
}

} // namespace

LowerIntrinsic findIntegerLowering(StringRef name) { return table().lookup(name); }

void lowerIntrinsics(Module &module) {
  SmallVector<std::pair<CallInst *, LowerIntrinsic>, 16> calls;
  for (Function &f : module) {
    StringRef name = f.getName();
    if (!f.isDeclaration() || !name.consume_front("llvm.x86.")) continue;
    LowerIntrinsic lower = findIntegerLowering(name);
    if (!lower) lower = findFloatLowering(name);
    if (!lower) continue;
    for (User *user : f.users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &f)
        calls.push_back({call, lower});
  }
  for (auto &[call, lower] : calls) {
    VectorLowering one(*call);
    if (Value *value = lower(one)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

} // namespace fathom::program
