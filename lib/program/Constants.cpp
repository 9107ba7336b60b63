// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Constants.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace fathom::program {
namespace {

Word ofAPInt(const APInt &value) {
  Word w;
  w.lo = value.getRawData()[0];
  if (value.getBitWidth() > 64) w.hi = value.getRawData()[1];
  return w;
}

APInt toAPInt(Word w, unsigned bits) { return APInt(bits, {w.lo, w.hi}); }

unsigned scalarBits(const DataLayout &dl, Type *type) {
  return static_cast<unsigned>(dl.getTypeSizeInBits(type).getFixedValue());
}

void writeWord(Word w, unsigned bytes, uint8_t *out) {
  for (unsigned i = 0; i < bytes; ++i)
    out[i] = static_cast<uint8_t>(i < 8 ? w.lo >> (8 * i) : w.hi >> (8 * (i - 8)));
}

} // namespace

Word maskTo(Word value, unsigned bits) {
  if (bits < 64) value.lo &= (uint64_t(1) << bits) - 1;
  if (bits <= 64)
    value.hi = 0;
  else if (bits < 128)
    value.hi &= (uint64_t(1) << (bits - 64)) - 1;
  return value;
}

const Function *resolveIFunc(const GlobalIFunc &ifunc) {
  const Function *resolver = ifunc.getResolverFunction();
  if (!resolver || resolver->isDeclaration()) return nullptr;
  const Function *target = nullptr;
  for (const BasicBlock &block : *resolver)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
      auto *f = ret->getReturnValue()
                    ? dyn_cast<Function>(ret->getReturnValue()->stripPointerCasts())
                    : nullptr;
      if (!f || (target && target != f)) return nullptr;
      target = f;
    }
  return target;
}

uint64_t Constants::address(const GlobalValue *value) const {
  if (auto it = addresses_.find(value); it != addresses_.end()) return it->second;
  if (auto *alias = dyn_cast<GlobalAlias>(value)) {
    auto w = scalar(alias->getAliasee());
    return w ? w->lo : 0;
  }
  if (auto *ifunc = dyn_cast<GlobalIFunc>(value)) {
    if (const Function *f = resolveIFunc(*ifunc)) return address(f);
  }
  return 0;
}

std::optional<Word> Constants::scalar(const Constant *c) const {
  if (auto *i = dyn_cast<ConstantInt>(c)) {
    if (i->getBitWidth() > 128) return std::nullopt;
    return ofAPInt(i->getValue());
  }
  if (auto *f = dyn_cast<ConstantFP>(c)) {
    APInt bits = f->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 80) return std::nullopt;
    return ofAPInt(bits);
  }
  if (isa<UndefValue>(c)) return Word{0, 0, true}; // poison is an UndefValue too
  if (isa<ConstantPointerNull>(c) || isa<ConstantAggregateZero>(c)) return Word{};
  if (auto *g = dyn_cast<GlobalValue>(c)) return Word{address(g)};
  if (auto *b = dyn_cast<BlockAddress>(c)) return Word{address(b->getBasicBlock())};
  if (auto *d = dyn_cast<DSOLocalEquivalent>(c)) return Word{address(d->getGlobalValue())};
  if (auto *n = dyn_cast<NoCFIValue>(c)) return Word{address(n->getGlobalValue())};
  if (auto *e = dyn_cast<ConstantExpr>(c)) return expression(e);
  return std::nullopt;
}

std::optional<Word> Constants::expression(const ConstantExpr *e) const {
  if (e->getType()->isVectorTy()) return std::nullopt;
  if (auto *gep = dyn_cast<GEPOperator>(e)) {
    auto base = scalar(cast<Constant>(gep->getPointerOperand()));
    if (!base) return std::nullopt;
    APInt offset(64, 0);
    if (gep->accumulateConstantOffset(dl_, offset)) return Word{base->lo + offset.getZExtValue()};
    // Indices that are constant expressions themselves, e.g. ptrtoint of a global's address.
    MapVector<Value *, APInt> variable;
    offset = 0;
    if (!gep->collectOffset(dl_, 64, variable, offset)) return std::nullopt;
    uint64_t sum = base->lo + offset.getZExtValue();
    for (auto &[index, scale] : variable) {
      auto *constantIndex = dyn_cast<Constant>(index);
      auto w = constantIndex ? scalar(constantIndex) : std::nullopt;
      if (!w) return std::nullopt;
      APInt i = toAPInt(*w, scalarBits(dl_, index->getType())).sextOrTrunc(64);
      sum += i.getZExtValue() * scale.getZExtValue();
    }
    return Word{sum};
  }
  unsigned bits = scalarBits(dl_, e->getType());
  auto a = scalar(e->getOperand(0));
  if (!a || bits > 128) return std::nullopt;
  unsigned sourceBits = scalarBits(dl_, e->getOperand(0)->getType());
  switch (e->getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::Trunc:
  case Instruction::ZExt: return maskTo(*a, bits);
  case Instruction::SExt: return ofAPInt(toAPInt(*a, sourceBits).sext(bits));
  default: break;
  }
  if (e->getNumOperands() != 2) return std::nullopt;
  auto b = scalar(e->getOperand(1));
  if (!b) return std::nullopt;
  APInt x = toAPInt(*a, bits), y = toAPInt(*b, bits);
  Word result;
  switch (e->getOpcode()) {
  case Instruction::Add: result = ofAPInt(x + y); break;
  case Instruction::Sub: result = ofAPInt(x - y); break;
  case Instruction::Mul: result = ofAPInt(x * y); break;
  case Instruction::Xor: result = ofAPInt(x ^ y); break;
  case Instruction::And: result = ofAPInt(x & y); break;
  case Instruction::Or: result = ofAPInt(x | y); break;
  case Instruction::Shl:
    if (y.uge(bits)) return std::nullopt;
    result = ofAPInt(x.shl(y));
    break;
  default: return std::nullopt;
  }
  result.undef = a->undef || b->undef;
  return result;
}

std::optional<Word> Constants::element(const Constant *c, unsigned index) const {
  Type *type = c->getType();
  if (isa<ConstantAggregateZero>(c)) return Word{};
  if (isa<UndefValue>(c)) return Word{0, 0, true};
  if (auto *data = dyn_cast<ConstantDataSequential>(c))
    return scalar(data->getElementAsConstant(index));
  if (auto *st = dyn_cast<StructType>(type)) {
    for (unsigned i = 0; i < st->getNumElements(); ++i) {
      unsigned n = static_cast<unsigned>(layouts_.of(st->getElementType(i)).scalars.size());
      if (index < n) {
        Constant *part = c->getAggregateElement(i);
        return part ? element(part, index) : std::nullopt;
      }
      index -= n;
    }
    return std::nullopt;
  }
  if (isa<ArrayType>(type) || isa<FixedVectorType>(type)) {
    Type *elementType = isa<ArrayType>(type) ? type->getArrayElementType()
                                             : cast<VectorType>(type)->getElementType();
    unsigned n = static_cast<unsigned>(layouts_.of(elementType).scalars.size());
    Constant *part = n ? c->getAggregateElement(index / n) : nullptr;
    return part ? element(part, index % n) : std::nullopt;
  }
  return index == 0 ? scalar(c) : std::nullopt;
}

Error Constants::write(const Constant *c, MutableArrayRef<uint8_t> out) const {
  if (isa<ConstantAggregateZero>(c) || isa<UndefValue>(c) || isa<ConstantPointerNull>(c))
    return Error::success();
  Type *type = c->getType();
  if (auto *data = dyn_cast<ConstantDataSequential>(c); data && !isa<VectorType>(type)) {
    StringRef raw = data->getRawDataValues(); // host order: little endian, as the target
    std::memcpy(out.data(), raw.data(), raw.size());
    return Error::success();
  }
  if (auto *st = dyn_cast<StructType>(type)) {
    const StructLayout *sl = dl_.getStructLayout(st);
    for (unsigned i = 0; i < st->getNumElements(); ++i)
      if (Error e = write(c->getAggregateElement(i),
                          out.drop_front(sl->getElementOffset(i).getFixedValue())))
        return e;
    return Error::success();
  }
  if (auto *at = dyn_cast<ArrayType>(type)) {
    uint64_t stride = dl_.getTypeAllocSize(at->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < at->getNumElements(); ++i)
      if (Error e =
              write(c->getAggregateElement(static_cast<unsigned>(i)), out.drop_front(i * stride)))
        return e;
    return Error::success();
  }
  if (auto *wide = dyn_cast<ConstantInt>(c); wide && wide->getBitWidth() > 128) {
    for (unsigned i = 0; i < (wide->getBitWidth() + 7) / 8; ++i)
      out[i] = static_cast<uint8_t>(wide->getValue().getRawData()[i / 8] >> (8 * (i % 8)));
    return Error::success();
  }
  const Layout &layout = layouts_.of(type);
  if (!layout.unsupported.empty())
    return createStringError(inconvertibleErrorCode(),
                             "unsupported initialiser: " + layout.unsupported);
  for (unsigned i = 0; i < layout.scalars.size(); ++i) {
    const Scalar &s = layout.scalars[i];
    auto w = element(c, i);
    if (!w) {
      std::string text;
      raw_string_ostream(text) << *c;
      return createStringError(inconvertibleErrorCode(),
                               "unsupported constant expression in an initialiser: " + text);
    }
    if (s.bitOffset % 8 == 0 && (s.bits % 8 == 0 || layout.scalars.size() == 1)) {
      writeWord(*w, s.bytes(), out.data() + s.bitOffset / 8);
    } else {
      for (unsigned b = 0; b < s.bits; ++b)
        if ((b < 64 ? w->lo >> b : w->hi >> (b - 64)) & 1)
          out[(s.bitOffset + b) / 8] |= uint8_t(1) << ((s.bitOffset + b) % 8);
    }
  }
  return Error::success();
}

} // namespace fathom::program
