// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/TermEmitter.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <bit>

namespace fathom::jit {

using expr::Kind;
using llvm::Value;

TermEmitter::TermEmitter(llvm::Module &module, const expr::RowLayout &layout)
    : module_(module), layout_(layout), b(module.getContext()),
      i8(llvm::Type::getInt8Ty(module.getContext())),
      i64(llvm::Type::getInt64Ty(module.getContext())) {}

bool TermEmitter::emit(std::span<const ExprPtr> roots, llvm::StringRef name, size_t maxTerms) {
  llvm::Type *pointer = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false);
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module_);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  row_ = function_->getArg(0);
  calls_ = function_->getArg(2);
  auto *block = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  b.SetInsertPoint(block);
  for (size_t i = 0; i < roots.size(); ++i) {
    if (roots[i]->width() > 64 || !emitAll(roots[i], maxTerms)) return false;
    b.CreateStore(value(roots[i]), byteAddress(function_->getArg(1), constant(i * 8)));
  }
  b.CreateRetVoid();
  return true;
}

// --- order
// -------------------------------------------------------------------------------------------------

/// Bytes that lie side by side in the row and make a word as the machine loads it.
std::optional<expr::RowLayout::Run> TermEmitter::asLoad(ExprPtr e) const {
  auto run = layout_.run(e);
  if (run && !std::has_single_bit(run->bytes)) run.reset();
  return run;
}

/// Appends the terms that must be emitted before e: its operands, none if e is a load from the row.
void TermEmitter::appendOperands(ExprPtr e, llvm::SmallVectorImpl<ExprPtr> &out) const {
  if (asLoad(e)) return;
  if (e->kind() != Kind::Read) {
    for (unsigned i = 0; i < e->numOps(); ++i) out.push_back(e->op(i));
    return;
  }
  out.push_back(e->op(1));
  ExprPtr array = e->op(0);
  for (; array->kind() == Kind::Store; array = array->op(0)) {
    out.push_back(array->op(1));
    out.push_back(array->op(2));
  }
}

bool TermEmitter::emitAll(ExprPtr root, size_t maxTerms) {
  struct Frame {
    ExprPtr term;
    size_t begin, next; // its operands in `pending`
  };
  llvm::SmallVector<ExprPtr, 64> pending;
  std::vector<Frame> stack;
  auto push = [&](ExprPtr e) {
    const size_t begin = pending.size();
    appendOperands(e, pending);
    stack.push_back({e, begin, begin});
    return values_.size() + pending.size() <= maxTerms;
  };
  if (!root->isConst() && !values_.contains(root) && !push(root)) return false;
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next < pending.size()) {
      ExprPtr op = pending[top.next++];
      if (op->isConst() || values_.contains(op)) continue;
      if (!push(op)) return false;
      continue;
    }
    Value *made = make(top.term);
    if (!made) return false;
    values_[top.term] = made;
    pending.truncate(top.begin);
    stack.pop_back();
  }
  return true;
}

// --- words
// -------------------------------------------------------------------------------------------------

Value *TermEmitter::value(ExprPtr e) {
  if (!e->isConst()) return values_.lookup(e);
  if (e->width() <= 64) return constant(e->value());
  return llvm::ConstantInt::get(module_.getContext(), expr::toAPInt(e));
}

Value *TermEmitter::condition(ExprPtr e) {
  if (auto it = conditions_.find(e); it != conditions_.end()) return it->second;
  if (e->isConst()) return b.getInt1(e->value() != 0);
  return conditions_[e] = b.CreateICmpNE(value(e), constant(0));
}

Value *TermEmitter::maskTo(Value *v, unsigned width) {
  return width >= 64 ? v : b.CreateAnd(v, constant(expr::lowMask(width)));
}
Value *TermEmitter::signExtended(Value *v, unsigned width) {
  if (width >= 64) return v;
  return b.CreateAShr(b.CreateShl(v, constant(64 - width)), constant(64 - width));
}
Value *TermEmitter::byteAddress(Value *base, Value *offset) {
  return b.CreateGEP(i8, base, offset);
}
Value *TermEmitter::loadByte(Value *address) {
  return b.CreateZExt(b.CreateLoad(i8, address), i64);
}

Value *TermEmitter::zeroExtended(ExprPtr e, unsigned width) {
  Value *v = value(e);
  return b.CreateZExtOrTrunc(v, b.getIntNTy(width));
}
Value *TermEmitter::asWord(Value *v) { return b.CreateZExtOrTrunc(v, i64); }

Value *TermEmitter::make(ExprPtr e) {
  if (auto load = asLoad(e)) {
    Value *loaded = b.CreateAlignedLoad(b.getIntNTy(load->bytes * 8),
                                        byteAddress(row_, constant(load->offset)), llvm::Align(1));
    return b.CreateZExt(loaded, i64);
  }
  const unsigned width = e->width();
  if (expr::isFloatKind(e->kind())) return makeFloat(e);
  if (e->kind() == Kind::Read) return makeRead(e);
  if (width > 64 || (e->numOps() && e->op(e->kind() == Kind::Ite ? 1 : 0)->width() > 64))
    return makeWide(e);
  switch (e->kind()) {
  case Kind::Concat:
    return b.CreateOr(b.CreateShl(value(e->op(0)), constant(e->op(1)->width())), value(e->op(1)));
  case Kind::Extract: {
    Value *v = value(e->op(0));
    if (e->offset()) v = b.CreateLShr(v, constant(e->offset()));
    return e->offset() + width == e->op(0)->width() ? v : maskTo(v, width);
  }
  case Kind::ZExt: return value(e->op(0));
  case Kind::SExt: return maskTo(signExtended(value(e->op(0)), e->op(0)->width()), width);
  case Kind::Not: return b.CreateXor(value(e->op(0)), constant(expr::lowMask(width)));
  case Kind::Ite: return b.CreateSelect(condition(e->op(0)), value(e->op(1)), value(e->op(2)));
  default: return makeBinary(e);
  }
}

Value *TermEmitter::makeBinary(ExprPtr e) {
  Value *x = value(e->op(0)), *y = value(e->op(1));
  const unsigned width = e->op(0)->width();
  auto asSigned = [&](Value *v) { return signExtended(v, width); };
  auto compare = [&](llvm::CmpInst::Predicate p, Value *a, Value *c) {
    Value *i1 = b.CreateICmp(p, a, c);
    conditions_[e] = i1;
    return fromCondition(i1);
  };
  switch (e->kind()) {
  case Kind::And: return b.CreateAnd(x, y);
  case Kind::Or: return b.CreateOr(x, y);
  case Kind::Xor: return b.CreateXor(x, y);
  case Kind::Add: return maskTo(b.CreateAdd(x, y), width);
  case Kind::Sub: return maskTo(b.CreateSub(x, y), width);
  case Kind::Mul: return maskTo(b.CreateMul(x, y), width);
  case Kind::UDiv:
  case Kind::SDiv:
  case Kind::URem:
  case Kind::SRem: return makeDivision(e);
  case Kind::Shl:
  case Kind::LShr: {
    if (e->op(1)->isConst() && e->op(1)->value() >= width) return constant(0);
    Value *by = e->op(1)->isConst() ? y : b.CreateAnd(y, constant(63));
    Value *v = e->kind() == Kind::Shl ? maskTo(b.CreateShl(x, by), width) : b.CreateLShr(x, by);
    if (e->op(1)->isConst()) return v;
    return b.CreateSelect(b.CreateICmpULT(y, constant(width)), v, constant(0));
  }
  case Kind::AShr: { // a count of `width` or more leaves only copies of the sign
    Value *by = b.CreateSelect(b.CreateICmpULT(y, constant(width)), y, constant(width - 1));
    return maskTo(b.CreateAShr(asSigned(x), by), width);
  }
  case Kind::Eq: return compare(llvm::CmpInst::ICMP_EQ, x, y);
  case Kind::Ult: return compare(llvm::CmpInst::ICMP_ULT, x, y);
  case Kind::Ule: return compare(llvm::CmpInst::ICMP_ULE, x, y);
  case Kind::Slt: return compare(llvm::CmpInst::ICMP_SLT, asSigned(x), asSigned(y));
  case Kind::Sle: return compare(llvm::CmpInst::ICMP_SLE, asSigned(x), asSigned(y));
  default: return nullptr;
  }
}

/// A division by 0, or of the smallest number by -1, is defined for terms and traps on the
/// processor. So the divisor is replaced by 1, and a select afterwards gives the value. Unsigned
/// divisions of up to 32 bits are computed on 32 bits, which is several times faster.
Value *TermEmitter::makeDivision(ExprPtr e) {
  const unsigned width = e->op(0)->width();
  const bool isSigned = e->kind() == Kind::SDiv || e->kind() == Kind::SRem;
  const bool isDivision = e->kind() == Kind::UDiv || e->kind() == Kind::SDiv;
  Value *x = value(e->op(0)), *y = value(e->op(1));
  Value *isZero = b.CreateICmpEQ(y, constant(0));
  if (!isSigned) {
    Value *divisor = b.CreateSelect(isZero, constant(1), y);
    llvm::Type *type = width <= 32 ? b.getInt32Ty() : i64;
    Value *n = b.CreateTrunc(x, type), *d = b.CreateTrunc(divisor, type);
    Value *v = b.CreateZExt(isDivision ? b.CreateUDiv(n, d) : b.CreateURem(n, d), i64);
    return b.CreateSelect(isZero, isDivision ? constant(expr::lowMask(width)) : x, v);
  }
  Value *n = signExtended(x, width), *d = signExtended(y, width);
  Value *isMinusOne = b.CreateICmpEQ(d, constant(~uint64_t(0)));
  Value *divisor = b.CreateSelect(b.CreateOr(isZero, isMinusOne), constant(1), d);
  if (isDivision) {
    Value *v = maskTo(b.CreateSDiv(n, divisor), width);
    v = b.CreateSelect(isMinusOne, maskTo(b.CreateSub(constant(0), x), width), v);
    Value *byZero = b.CreateSelect(b.CreateICmpSLT(n, constant(0)), constant(1),
                                   constant(expr::lowMask(width)));
    return b.CreateSelect(isZero, byZero, v);
  }
  Value *v = maskTo(b.CreateSRem(n, divisor), width);
  v = b.CreateSelect(isMinusOne, constant(0), v);
  return b.CreateSelect(isZero, x, v);
}

} // namespace fathom::jit
