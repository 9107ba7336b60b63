// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: loads, stores, address arithmetic, allocas, atomics (plain accesses: one thread), memory
// intrinsics.
#include "program/DecodeInstructions.h"
#include "program/Operands.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace llvm;

namespace fathom::program {
namespace {

std::string variableName(const AllocaInst &alloca) {
  Value *v = const_cast<AllocaInst *>(&alloca);
  for (const DbgVariableRecord *record : findDVRDeclares(v))
    return record->getVariable()->getName().str();
  for (const DbgDeclareInst *declare : findDbgDeclares(v))
    return declare->getVariable()->getName().str();
  return alloca.getName().str();
}

bool fits32(int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

/// A vector whose lanes are no whole number of bytes lies packed in memory.
bool isPacked(const Layout &layout) {
  if (layout.scalars.size() < 2) return false;
  for (const Scalar &s : layout.scalars)
    if (s.bitOffset % 8 != 0 || (s.bits % 8 != 0 && s.kind == Scalar::Int)) return true;
  return false;
}

unsigned packedBits(const Layout &layout) {
  const Scalar &last = layout.scalars.back();
  return static_cast<unsigned>(last.bitOffset + last.bits);
}

} // namespace

static void gepLane(FunctionEmitter &e, const GetElementPtrInst &inst, unsigned lane, uint32_t dst);
static void maskedAccess(FunctionEmitter &e, const IntrinsicInst &inst);

// --- addresses
// -------------------------------------------------------------------------------------------------------

PointerParts addressOf(FunctionEmitter &e, const Value *pointer) {
  auto it = e.values.find(pointer);
  if (it != e.values.end() && it->second.mode == ValueMode::FoldedGep) {
    auto *gep = cast<GetElementPtrInst>(pointer);
    APInt offset(64, 0);
    gep->accumulateConstantOffset(e.shared.dl, offset);
    PointerParts address = addressOf(e, gep->getPointerOperand());
    address.offset += offset.getSExtValue();
    return address;
  }
  // A constant offset from a global: read through the global's address, which other accesses share.
  if (auto *constant = dyn_cast<Constant>(pointer); constant && !isa<UndefValue>(constant)) {
    APInt offset(64, 0);
    const Value *base =
        constant->stripAndAccumulateConstantOffsets(e.shared.dl, offset, /*AllowNonInbounds=*/true);
    if (isa<GlobalValue>(base) && offset.isSignedIntN(30))
      return {e.use(base), offset.getSExtValue()};
  }
  return {e.use(pointer), 0};
}

static uint32_t baseSlot(FunctionEmitter &e, PointerParts &address, uint64_t bytes) {
  uint32_t base = e.reg(address.base, 64);
  if (fits32(address.offset) && fits32(address.offset + static_cast<int64_t>(bytes))) return base;
  uint32_t moved = e.scratch();
  e.emit(Op::GepI, 64, moved, base, 0, 0, 0, static_cast<uint64_t>(address.offset));
  address.offset = 0;
  return moved;
}

void decodeGep(FunctionEmitter &e, const GetElementPtrInst &inst) {
  e.forEachScalar(inst,
                  [&](unsigned i, const Scalar &, uint32_t dst) { gepLane(e, inst, i, dst); });
}

static void gepLane(FunctionEmitter &e, const GetElementPtrInst &inst, unsigned lane,
                    uint32_t dst) {
  struct Term {
    Operand index;
    bool narrow; ///< 32 bits, to be sign-extended
    uint64_t scale;
  };
  SmallVector<Term, 4> terms;
  auto laneOf = [&](const Value *v) { return v->getType()->isVectorTy() ? lane : 0; };
  const Value *pointer = inst.getPointerOperand();
  PointerParts base = pointer->getType()->isVectorTy() ? PointerParts{e.use(pointer, lane), 0}
                                                       : addressOf(e, pointer);
  uint64_t offset = static_cast<uint64_t>(base.offset);
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end; ++it) {
    const Value *index = it.getOperand();
    if (StructType *st = it.getStructTypeOrNull()) {
      const Constant *c = cast<Constant>(index);
      if (c->getType()->isVectorTy()) c = c->getSplatValue();
      offset += e.shared.dl.getStructLayout(st)
                    ->getElementOffset(cast<ConstantInt>(c)->getZExtValue())
                    .getFixedValue();
      continue;
    }
    uint64_t stride = it.getSequentialElementStride(e.shared.dl).getFixedValue();
    unsigned bits = index->getType()->getScalarSizeInBits();
    auto state = e.values.find(index);
    const bool folded = state != e.values.end() && state->second.mode == ValueMode::FoldedSext;
    Operand o = e.use(index, laneOf(index));
    if (o.constant && !o.undef) {
      offset += APInt(bits, {o.lo, o.hi}).sextOrTrunc(64).getZExtValue() * stride;
      continue;
    }
    if (folded || bits == 32) {
      terms.push_back({o, true, stride});
    } else if (bits == 64) {
      terms.push_back({o, false, stride});
    } else {
      uint32_t extended = e.scratch();
      if (bits < 64)
        signExtend(e, extended, 64, o, bits);
      else
        truncate(e, extended, 64, o, bits);
      terms.push_back({Operand::ofSlot(extended), false, stride});
    }
  }
  if (terms.empty()) {
    if (offset == 0) return e.move(dst, base.base, 64);
    if (base.base.constant && !base.base.undef)
      return e.move(dst, Operand::ofConstant(base.base.lo + offset), 64);
    uint32_t x = e.reg(base.base, 64);
    e.emit(Op::GepI, 64, dst, x, 0, 0, 0, offset);
    return;
  }
  // The constant part goes with the first term; if it does not fit, into an addition at the end.
  const bool fits = fits32(static_cast<int64_t>(offset));
  uint32_t x = e.reg(base.base, 64);
  for (size_t i = 0; i < terms.size(); ++i) {
    uint32_t y = e.reg(terms[i].index, terms[i].narrow ? 32 : 64);
    uint32_t displacement = i == 0 && fits ? static_cast<uint32_t>(offset) : 0;
    e.emit(terms[i].narrow ? Op::GepS32 : Op::Gep, 64, dst, i == 0 ? x : dst, y, displacement, 0,
           terms[i].scale);
  }
  if (!fits) e.emit(Op::GepI, 64, dst, dst, 0, 0, 0, offset);
}

// --- loads and stores
// --------------------------------------------------------------------------------------------------

static void loadScalar(FunctionEmitter &e, const Scalar &s, uint32_t dst, uint32_t base,
                       int64_t offset) {
  const uint32_t sc = static_cast<uint32_t>(offset);
  const uint8_t flags = s.kind == Scalar::Pointer ? kPointer : 0;
  switch (s.bits) {
  case 8: e.emit(Op::Load8, 8, dst, base, 0, sc, 1); return;
  case 16: e.emit(Op::Load16, 16, dst, base, 0, sc, 2); return;
  case 32: e.emit(Op::Load32, 32, dst, base, 0, sc, 4); return;
  case 64: e.emit(Op::Load64, 64, dst, base, 0, sc, 8, 0, flags); return;
  default: e.emit(s.wide() ? Op::LoadWide : Op::LoadN, s.bits, dst, base, 0, sc, s.bytes()); return;
  }
}

static void storeScalar(FunctionEmitter &e, const Scalar &s, const Operand &value, uint32_t base,
                        int64_t offset) {
  const uint32_t sc = static_cast<uint32_t>(offset);
  const uint8_t flags = s.kind == Scalar::Pointer ? kPointer : 0;
  const bool immediate = value.constant && !value.undef;
  uint32_t v = 0;
  if (!immediate || (s.bits != 8 && s.bits != 16 && s.bits != 32 && s.bits != 64))
    v = e.reg(value, s.bits);
  switch (s.bits) {
  case 8: e.emit(immediate ? Op::Store8I : Op::Store8, 8, 0, base, v, sc, 1, value.lo); return;
  case 16: e.emit(immediate ? Op::Store16I : Op::Store16, 16, 0, base, v, sc, 2, value.lo); return;
  case 32: e.emit(immediate ? Op::Store32I : Op::Store32, 32, 0, base, v, sc, 4, value.lo); return;
  case 64:
    e.emit(immediate ? Op::Store64I : Op::Store64, 64, 0, base, v, sc, 8, value.lo, flags);
    return;
  default: e.emit(s.wide() ? Op::StoreWide : Op::StoreN, s.bits, 0, base, v, sc, s.bytes()); return;
  }
}

/// Packed bits as whole words, the last one perhaps shorter.
static SmallVector<Scalar, 4> wordsOf(unsigned bits) {
  SmallVector<Scalar, 4> words;
  for (unsigned at = 0; at < bits; at += 64) {
    Scalar s;
    s.bits = static_cast<uint16_t>(std::min(64u, bits - at));
    s.bitOffset = at;
    s.slot = at / 64;
    words.push_back(s);
  }
  return words;
}

void decodeLoad(FunctionEmitter &e, const LoadInst &inst) {
  const Layout &layout = e.layoutOf(&inst);
  if (layout.scalars.empty()) return;
  PointerParts address = addressOf(e, inst.getPointerOperand());
  uint32_t base = baseSlot(e, address, layout.scalars.back().bitOffset / 8 + 16);
  uint32_t dst = e.define(inst);
  if (!isPacked(layout)) {
    for (const Scalar &s : layout.scalars)
      loadScalar(e, s, dst + s.slot, base, address.offset + static_cast<int64_t>(s.bitOffset / 8));
    return;
  }
  // Whole words, then the lanes out of them.
  SmallVector<Operand, 4> words;
  const SmallVector<Scalar, 4> wordLayout = wordsOf(packedBits(layout));
  for (const Scalar &s : wordLayout) {
    uint32_t word = e.scratch();
    loadScalar(e, s, word, base, address.offset + static_cast<int64_t>(s.bitOffset / 8));
    words.push_back(Operand::ofSlot(word));
  }
  repack(e, words, wordLayout, dst, layout.scalars);
}

void decodeStore(FunctionEmitter &e, const StoreInst &inst) {
  const Value *value = inst.getValueOperand();
  const Layout &layout = e.layoutOf(value);
  if (layout.scalars.empty()) return;
  PointerParts address = addressOf(e, inst.getPointerOperand());
  uint32_t base = baseSlot(e, address, layout.scalars.back().bitOffset / 8 + 16);
  if (!isPacked(layout)) {
    for (unsigned i = 0; i < layout.scalars.size(); ++i)
      storeScalar(e, layout.scalars[i], e.use(value, i), base,
                  address.offset + static_cast<int64_t>(layout.scalars[i].bitOffset / 8));
    return;
  }
  SmallVector<Operand, 16> lanes;
  for (unsigned i = 0; i < layout.scalars.size(); ++i) lanes.push_back(e.use(value, i));
  const SmallVector<Scalar, 4> wordLayout = wordsOf(packedBits(layout));
  uint32_t words = e.scratch(static_cast<uint32_t>(wordLayout.size()));
  repack(e, lanes, layout.scalars, words, wordLayout);
  for (const Scalar &s : wordLayout)
    storeScalar(e, s, Operand::ofSlot(words + s.slot), base,
                address.offset + static_cast<int64_t>(s.bitOffset / 8));
}

// --- stack
// -----------------------------------------------------------------------------------------------------------

void decodeAlloca(FunctionEmitter &e, const AllocaInst &inst) {
  uint64_t size = e.shared.dl.getTypeAllocSize(inst.getAllocatedType()).getFixedValue();
  uint32_t align = static_cast<uint32_t>(inst.getAlign().value());
  uint32_t index = static_cast<uint32_t>(e.out.allocas.size());
  uint32_t dst = e.define(inst);
  Operand count = e.use(inst.getArraySize());
  unsigned bits = inst.getArraySize()->getType()->getIntegerBitWidth();
  if (count.constant && !count.undef) {
    e.out.allocas.push_back({variableName(inst), size * count.lo});
    e.emit(Op::Alloca, 64, dst, 0, 0, align, index, size * count.lo);
    return;
  }
  e.out.allocas.push_back({variableName(inst), 0});
  uint32_t n = 0;
  if (bits < 64)
    zeroExtend(e, n = e.scratch(), 64, count, bits);
  else if (bits > 64)
    truncate(e, n = e.scratch(), 64, count, bits);
  else
    n = e.reg(count, 64);
  e.emit(Op::AllocaDyn, 64, dst, 0, n, align, index, size);
}

// --- atomics: one thread, so the plain access, read before write
// ---------------------------------------------------------

void decodeCmpXchg(FunctionEmitter &e, const AtomicCmpXchgInst &inst) {
  PointerParts address = addressOf(e, inst.getPointerOperand());
  uint32_t base = baseSlot(e, address, 16);
  Scalar s = e.layoutOf(inst.getCompareOperand()).scalars[0];
  const Layout &result = e.layoutOf(&inst); // { old value, i1 }
  uint32_t dst = e.define(inst);
  uint32_t success = dst + result.scalars[1].slot;
  Operand old = Operand::ofSlot(dst);
  loadScalar(e, s, dst, base, address.offset);
  compare(e, CmpInst::ICMP_EQ, s.bits, success, old, e.use(inst.getCompareOperand()),
          s.kind == Scalar::Pointer);
  uint32_t stored = e.scratch(s.slots());
  select(e, s.bits, stored, Operand::ofSlot(success), e.use(inst.getNewValOperand()), old,
         s.kind == Scalar::Pointer);
  storeScalar(e, s, Operand::ofSlot(stored), base, address.offset);
}

void decodeAtomicRmw(FunctionEmitter &e, const AtomicRMWInst &inst) {
  PointerParts address = addressOf(e, inst.getPointerOperand());
  uint32_t base = baseSlot(e, address, 16);
  Scalar s = e.layoutOf(&inst).scalars[0];
  uint32_t dst = e.define(inst);
  loadScalar(e, s, dst, base, address.offset);
  Operand old = Operand::ofSlot(dst), value = e.use(inst.getValOperand());
  uint32_t stored = e.scratch(s.slots());
  auto floatOp = [&](FpMath math) {
    uint32_t y = e.reg(value, s.bits);
    e.emit(Op::FMath2, static_cast<unsigned>(s.fp), stored, dst, y, 0, static_cast<uint32_t>(math));
  };
  switch (inst.getOperation()) {
  case AtomicRMWInst::Xchg: return storeScalar(e, s, value, base, address.offset);
  case AtomicRMWInst::Add: binary(e, Instruction::Add, s.bits, stored, old, value); break;
  case AtomicRMWInst::Sub: binary(e, Instruction::Sub, s.bits, stored, old, value); break;
  case AtomicRMWInst::And: binary(e, Instruction::And, s.bits, stored, old, value); break;
  case AtomicRMWInst::Or: binary(e, Instruction::Or, s.bits, stored, old, value); break;
  case AtomicRMWInst::Xor: binary(e, Instruction::Xor, s.bits, stored, old, value); break;
  case AtomicRMWInst::Nand: {
    binary(e, Instruction::And, s.bits, stored, old, value);
    Word ones = maskTo({~uint64_t(0), ~uint64_t(0)}, s.bits);
    binary(e, Instruction::Xor, s.bits, stored, Operand::ofSlot(stored),
           Operand::ofConstant(ones.lo, ones.hi));
    break;
  }
  case AtomicRMWInst::Max: minMax(e, CmpInst::ICMP_SGT, s.bits, stored, old, value); break;
  case AtomicRMWInst::Min: minMax(e, CmpInst::ICMP_SLT, s.bits, stored, old, value); break;
  case AtomicRMWInst::UMax: minMax(e, CmpInst::ICMP_UGT, s.bits, stored, old, value); break;
  case AtomicRMWInst::UMin: minMax(e, CmpInst::ICMP_ULT, s.bits, stored, old, value); break;
  case AtomicRMWInst::FAdd: floatBinary(e, Instruction::FAdd, s.fp, stored, old, value); break;
  case AtomicRMWInst::FSub: floatBinary(e, Instruction::FSub, s.fp, stored, old, value); break;
  case AtomicRMWInst::FMax: floatOp(FpMath::MaxNum); break;
  case AtomicRMWInst::FMin: floatOp(FpMath::MinNum); break;
  case AtomicRMWInst::UIncWrap: { // old >= value ? 0 : old + 1
    uint32_t wraps = e.scratch();
    compare(e, CmpInst::ICMP_UGE, s.bits, wraps, old, value);
    binary(e, Instruction::Add, s.bits, stored, old, Operand::ofConstant(1));
    select(e, s.bits, stored, Operand::ofSlot(wraps), Operand::ofConstant(0),
           Operand::ofSlot(stored));
    break;
  }
  case AtomicRMWInst::UDecWrap: { // old == 0 || old > value ? value : old - 1
    uint32_t zero = e.scratch(), above = e.scratch();
    compare(e, CmpInst::ICMP_EQ, s.bits, zero, old, Operand::ofConstant(0));
    compare(e, CmpInst::ICMP_UGT, s.bits, above, old, value);
    e.emit(Op::Or, 1, zero, zero, above);
    binary(e, Instruction::Sub, s.bits, stored, old, Operand::ofConstant(1));
    select(e, s.bits, stored, Operand::ofSlot(zero), value, Operand::ofSlot(stored));
    break;
  }
  default:
    return e.fail("atomic operation " + AtomicRMWInst::getOperationName(inst.getOperation()).str());
  }
  storeScalar(e, s, Operand::ofSlot(stored), base, address.offset);
}

/// The next argument of a va_list as x86-64 has it: at 8, overflow_arg_area points to it. Here all
/// variadic arguments lie there; the engine passes none in registers.
void decodeVaArg(FunctionEmitter &e, const VAArgInst &inst) {
  const Layout &layout = e.layoutOf(&inst);
  if (layout.scalars.size() != 1) return e.fail("va_arg of an aggregate");
  const Scalar &s = layout.scalars[0];
  uint32_t list = e.useReg(inst.getPointerOperand());
  uint32_t area = e.scratch();
  e.emit(Op::Load64, 64, area, list, 0, 8, 8, 0, kPointer);
  if (s.wide()) { // aligned to 16 bytes
    e.emit(Op::GepI, 64, area, area, 0, 0, 0, 15);
    e.emit(Op::AndI, 64, area, area, 0, 0, 0, ~uint64_t(15));
  }
  loadScalar(e, s, e.define(inst), area, 0);
  e.emit(Op::GepI, 64, area, area, 0, 0, 0, s.wide() ? 16 : 8);
  e.emit(Op::Store64, 64, 0, list, area, 8, 8, 0, kPointer);
}

// --- intrinsics
// --------------------------------------------------------------------------------------------------------

bool decodeMemoryIntrinsic(FunctionEmitter &e, const IntrinsicInst &inst) {
  auto address = [&](unsigned i) {
    PointerParts a = addressOf(e, inst.getArgOperand(i));
    if (a.offset && !a.base.constant) { // these operations have no displacement
      uint32_t x = e.reg(a.base, 64), moved = e.scratch();
      e.emit(Op::GepI, 64, moved, x, 0, 0, 0, static_cast<uint64_t>(a.offset));
      return moved;
    }
    Operand whole = a.base;
    if (whole.constant) whole.lo += static_cast<uint64_t>(a.offset);
    return e.reg(whole, 64);
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline: {
    const bool set = isa<MemSetInst>(inst);
    uint32_t to = address(0), from = set ? e.useReg(inst.getArgOperand(1)) : address(1);
    unsigned bits = inst.getArgOperand(2)->getType()->getIntegerBitWidth();
    Operand size = e.use(inst.getArgOperand(2));
    uint32_t n = 0;
    if (bits < 64 && !size.constant)
      zeroExtend(e, n = e.scratch(), 64, size, bits);
    else if (bits > 64)
      truncate(e, n = e.scratch(), 64, size, bits);
    else
      n = e.reg(size, 64);
    e.emit(set                                           ? Op::MemSet
           : inst.getIntrinsicID() == Intrinsic::memmove ? Op::MemMove
                                                         : Op::MemCpy,
           0, 0, to, from, n);
    return true;
  }
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    // In optimised code the markers are unreliable: an access may have moved out of the variable's
    // lifetime, and its result is then never used. So they are ignored there.
    if (!e.asWritten) return true;
    e.emit(inst.getIntrinsicID() == Intrinsic::lifetime_start ? Op::LifetimeStart : Op::LifetimeEnd,
           64, 0, address(1));
    return true;
  case Intrinsic::vastart: e.emit(Op::VaStart, 0, 0, address(0)); return true;
  case Intrinsic::vaend: e.emit(Op::VaEnd, 0, 0, address(0)); return true;
  case Intrinsic::vacopy: {
    uint32_t to = address(0), from = address(1);
    e.emit(Op::VaCopy, 0, 0, to, from);
    return true;
  }
  case Intrinsic::stacksave: e.emit(Op::StackSave, 64, e.define(inst)); return true;
  case Intrinsic::stackrestore: e.emit(Op::StackRestore, 64, 0, address(0)); return true;
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter: return maskedAccess(e, inst), true;
  default: return false;
  }
}

/// Masked vector accesses: lanes whose mask bit is off must not touch memory. A lane with a
/// symbolic or variable mask is a conditional jump around its access; these jumps are not branches
/// of the program (imm = kNoIndex).
static void maskedAccess(FunctionEmitter &e, const IntrinsicInst &inst) {
  const Intrinsic::ID id = inst.getIntrinsicID();
  const bool store = id == Intrinsic::masked_store || id == Intrinsic::masked_scatter;
  const bool scattered = id == Intrinsic::masked_gather || id == Intrinsic::masked_scatter;
  const Value *pointer = inst.getArgOperand(store ? 1 : 0);
  const Value *mask = inst.getArgOperand(store ? 3 : 2);
  const Value *value = store ? inst.getArgOperand(0) : inst.getArgOperand(3);
  const Layout &layout = e.layoutOf(value);
  if (isPacked(layout)) return e.fail("masked access to lanes of an odd number of bits");
  PointerParts address;
  uint32_t base = 0;
  if (!scattered) {
    address = addressOf(e, pointer);
    base = baseSlot(e, address, layout.scalars.back().bitOffset / 8 + 16);
  }
  uint32_t dst = store ? 0 : e.define(inst);
  for (unsigned i = 0; i < layout.scalars.size(); ++i) {
    const Scalar &s = layout.scalars[i];
    Operand bit = e.use(mask, i), lane = e.use(value, i);
    uint32_t from = scattered ? e.useReg(pointer, i) : base;
    int64_t offset = scattered ? 0 : address.offset + static_cast<int64_t>(s.bitOffset / 8);
    auto access = [&] {
      if (store)
        storeScalar(e, s, lane, from, offset);
      else
        loadScalar(e, s, dst + s.slot, from, offset);
    };
    if (!store && !(bit.constant && bit.lo))
      e.move(dst + s.slot, lane, s.bits); // the pass-through value
    if (bit.constant) {
      if (bit.lo && !bit.undef) access();
      continue;
    }
    if (store)
      lane = Operand::ofSlot(
          e.reg(lane, s.bits)); // constants before the jump: the rest of the block may reuse them
    uint32_t on = e.newLabel(), off = e.newLabel();
    e.emit(Op::CondJmp, 1, 0, bit.slot, 0, on, off, kNoIndex);
    e.placeLabel(on);
    access();
    e.placeLabel(off);
  }
}

} // namespace fathom::program
