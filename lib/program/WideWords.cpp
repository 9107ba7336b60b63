// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/WideWords.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace fathom::program {

Value *WideWords::canonical(Value *last, unsigned bits) {
  return bits % kWordBits ? b_.CreateAnd(last, maskTrailingOnes<uint64_t>(bits % kWordBits)) : last;
}

Words WideWords::canonical(Words w, unsigned bits) {
  w.resize(wordCount(bits), number(0));
  w.back() = canonical(w.back(), bits);
  return w;
}

Value *WideWords::withSign(Value *last, unsigned bits) {
  if (bits % kWordBits == 0) return last;
  const unsigned above = kWordBits - bits % kWordBits;
  return b_.CreateAShr(b_.CreateShl(last, above), above);
}

Value *WideWords::signOf(const Words &w, unsigned bits) {
  return b_.CreateAShr(withSign(w.back(), bits), kWordBits - 1);
}

Value *WideWords::holds(CmpInst::Predicate predicate, Words a, Words b, unsigned bits) {
  if (ICmpInst::isEquality(predicate)) {
    Value *difference = number(0);
    for (size_t i = 0; i < a.size(); ++i)
      difference = b_.CreateOr(difference, b_.CreateXor(a[i], b[i]));
    return b_.CreateICmp(predicate, difference, number(0));
  }
  if (ICmpInst::isSigned(predicate)) {
    a.back() = withSign(a.back(), bits);
    b.back() = withSign(b.back(), bits);
  }
  Value *result = b_.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a[0], b[0]);
  for (size_t i = 1; i < a.size(); ++i) {
    const bool last = i + 1 == a.size();
    Value *here =
        b_.CreateICmp(last ? predicate : ICmpInst::getUnsignedPredicate(predicate), a[i], b[i]);
    result = b_.CreateSelect(b_.CreateICmpEQ(a[i], b[i]), result, here);
  }
  return result;
}

Words WideWords::choose(Value *condition, const Words &a, const Words &b) {
  Words out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(b_.CreateSelect(condition, a[i], b[i]));
  return out;
}

Words WideWords::sum(const Words &a, const Words &b, Value *&carry) {
  Words out;
  carry = b_.getFalse();
  for (size_t i = 0; i < a.size(); ++i) {
    Value *plain = b_.CreateAdd(a[i], b[i]), *s = b_.CreateAdd(plain, b_.CreateZExt(carry, word()));
    carry = b_.CreateOr(b_.CreateICmpULT(plain, a[i]), b_.CreateICmpULT(s, plain));
    out.push_back(s);
  }
  return out;
}

Words WideWords::difference(const Words &a, const Words &b, Value *&borrow) {
  Words out;
  borrow = b_.getFalse();
  for (size_t i = 0; i < a.size(); ++i) {
    Value *plain = b_.CreateSub(a[i], b[i]), *less = b_.CreateZExt(borrow, word());
    borrow = b_.CreateOr(b_.CreateICmpULT(a[i], b[i]), b_.CreateICmpULT(plain, less));
    out.push_back(b_.CreateSub(plain, less));
  }
  return out;
}

Words WideWords::product(const Words &a, const Words &b) {
  Type *pair = b_.getInt128Ty();
  Words out(a.size(), number(0));
  for (size_t i = 0; i < a.size(); ++i) {
    Value *carry = number(0);
    for (size_t j = 0; i + j < a.size(); ++j) {
      Value *t = b_.CreateMul(b_.CreateZExt(a[i], pair), b_.CreateZExt(b[j], pair));
      t = b_.CreateAdd(t, b_.CreateZExt(out[i + j], pair));
      t = b_.CreateAdd(t, b_.CreateZExt(carry, pair));
      out[i + j] = b_.CreateTrunc(t, word());
      carry = b_.CreateTrunc(b_.CreateLShr(t, kWordBits), word());
    }
  }
  return out;
}

Words WideWords::shift(Instruction::BinaryOps op, Words a, const Words &by, unsigned bits) {
  Value *fill = number(0);
  if (op == Instruction::AShr) {
    fill = signOf(a, bits);
    a.back() = withSign(a.back(), bits);
  }
  const bool left = op == Instruction::Shl;
  const size_t n = a.size();
  Value *whole = b_.CreateLShr(by[0], 6), *part = b_.CreateAnd(by[0], kWordBits - 1);
  Words moved;
  auto *known = dyn_cast<ConstantInt>(whole);
  for (size_t i = 0; i < n; ++i) {
    Value *value = fill;
    for (size_t k = n; k-- > 0;) {
      const size_t from = left ? i - k : i + k;
      Value *here = from < n ? a[from] : fill; // i - k wraps around below 0
      if (known)
        value = known->equalsInt(k) ? here : value;
      else
        value = b_.CreateSelect(b_.CreateICmpEQ(whole, number(k)), here, value);
    }
    moved.push_back(value);
  }
  Words out;
  for (size_t i = 0; i < n; ++i)
    out.push_back(left ? b_.CreateIntrinsic(Intrinsic::fshl, {word()},
                                            {moved[i], i ? moved[i - 1] : number(0), part})
                       : b_.CreateIntrinsic(Intrinsic::fshr, {word()},
                                            {i + 1 < n ? moved[i + 1] : fill, moved[i], part}));
  return out;
}

} // namespace fathom::program
