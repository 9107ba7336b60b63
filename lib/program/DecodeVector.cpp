// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors and aggregates: consecutive scalars in slots, so most of this is moving slots about.
#include "program/DecodeInstructions.h"
#include "program/Operands.h"

using namespace llvm;

namespace fathom::program {

unsigned firstScalar(Layouts &layouts, Type *aggregate, ArrayRef<unsigned> indices) {
  unsigned first = 0;
  for (unsigned index : indices) {
    if (auto *st = dyn_cast<StructType>(aggregate)) {
      for (unsigned i = 0; i < index; ++i)
        first += static_cast<unsigned>(layouts.of(st->getElementType(i)).scalars.size());
      aggregate = st->getElementType(index);
    } else {
      aggregate = aggregate->getArrayElementType();
      first += index * static_cast<unsigned>(layouts.of(aggregate).scalars.size());
    }
  }
  return first;
}

/// Lets the result of `user` take over the slot of its operand `value`, if nothing reads that value
/// afterwards: then only the inserted element has to be written. kNoIndex: that is not possible.
static uint32_t reuseOperandSlot(FunctionEmitter &e, const Instruction &user, const Value *value) {
  auto own = e.values.find(&user), old = e.values.find(value);
  if (old == e.values.end() || !isa<Instruction>(value)) return kNoIndex;
  ValueState &from = old->second;
  // Both in this block, and `user` is the last reader under any name (aliases of `value` count as
  // readers).
  if (from.mode != ValueMode::Own || !from.local || from.uses != 1 || !own->second.local ||
      own->second.slot != kNoIndex)
    return kNoIndex;
  if (cast<Instruction>(value)->getParent() != e.block || !value->hasNUsesOrMore(1))
    return kNoIndex;
  own->second.slot = from.slot;
  from.slot = kNoIndex; // nothing is freed when its use is dropped
  return own->second.slot;
}

void decodeInsertValue(FunctionEmitter &e, const InsertValueInst &inst) {
  const Layout &layout = e.layoutOf(&inst);
  const Value *part = inst.getInsertedValueOperand();
  const unsigned first = firstScalar(e.shared.layouts, inst.getType(), inst.getIndices());
  const unsigned count = static_cast<unsigned>(e.layoutOf(part).scalars.size());
  SmallVector<Operand, 4> inserted;
  for (unsigned i = 0; i < count; ++i) inserted.push_back(e.use(part, i));
  const bool inPlace = reuseOperandSlot(e, inst, inst.getAggregateOperand()) != kNoIndex;
  uint32_t dst = e.define(inst);
  for (unsigned i = 0; i < layout.scalars.size(); ++i) {
    const Scalar &s = layout.scalars[i];
    if (i >= first && i < first + count) {
      e.move(dst + s.slot, inserted[i - first], s.bits);
    } else if (!inPlace) {
      Operand o = e.use(inst.getAggregateOperand(), i);
      // The start of a chain of insertions: elements that are never inserted are 0
      // (docs/undef-poison.md).
      e.move(dst + s.slot, o.undef ? Operand::ofConstant(0) : o, s.bits);
    }
  }
}

/// Checks a subscript that the program itself writes. Vector lanes are not in memory, so no check
/// of an address finds a subscript that is out of range.
static void checkLane(FunctionEmitter &e, const Value *subscript, const Layout &vector,
                      bool isWrite) {
  const Operand index = e.use(subscript);
  const unsigned bits = e.layoutOf(subscript).scalars[0].bits;
  const uint64_t lanes = vector.scalars.size();
  if (!e.asWritten || bits > 64 || (index.constant && (index.undef || index.lo < lanes))) return;
  e.emit(Op::CheckLane, bits, 0, e.reg(index, bits), 0, isWrite, 0, lanes);
}

void decodeInsertElement(FunctionEmitter &e, const InsertElementInst &inst) {
  const Layout &layout = e.layoutOf(&inst);
  const Scalar &lane = layout.scalars.front();
  const Value *vector = inst.getOperand(0);
  Operand value = e.use(inst.getOperand(1)), index = e.use(inst.getOperand(2));
  checkLane(e, inst.getOperand(2), layout, /*isWrite=*/true);
  if (index.constant) {
    const bool inPlace = reuseOperandSlot(e, inst, vector) != kNoIndex;
    uint32_t dst = e.define(inst);
    for (unsigned i = 0; i < layout.scalars.size(); ++i) {
      if (i == index.lo && !index.undef) {
        e.move(dst + layout.scalars[i].slot, value, lane.bits);
      } else if (!inPlace) {
        Operand o = e.use(vector, i);
        e.move(dst + layout.scalars[i].slot, o.undef ? Operand::ofConstant(0) : o, lane.bits);
      }
    }
    return;
  }
  uint32_t from = e.useAll(vector);
  unsigned bits = e.layoutOf(inst.getOperand(2)).scalars[0].bits;
  uint32_t at = index.slot;
  if (bits > 64) truncate(e, at = e.scratch(), 64, index, bits);
  uint32_t x = e.reg(value, lane.bits);
  e.emit(Op::InsertElt, lane.bits, e.define(inst), from, at, x, lane.slots(),
         layout.scalars.size());
}

void decodeExtractElement(FunctionEmitter &e, const ExtractElementInst &inst) {
  const Layout &layout = e.layoutOf(inst.getVectorOperand());
  const Scalar &lane = layout.scalars.front();
  Operand index = e.use(inst.getIndexOperand());
  checkLane(e, inst.getIndexOperand(), layout, /*isWrite=*/false);
  if (index.constant) { // beyond the last lane (isRename takes the others): poison
    Operand o = Operand::ofConstant(0);
    o.undef = true;
    return e.move(e.define(inst), o, lane.bits);
  }
  uint32_t from = e.useAll(inst.getVectorOperand());
  unsigned bits = e.layoutOf(inst.getIndexOperand()).scalars[0].bits;
  uint32_t at = index.slot;
  if (bits > 64) truncate(e, at = e.scratch(), 64, index, bits);
  e.emit(Op::ExtractElt, lane.bits, e.define(inst), from, at, 0, lane.slots(),
         layout.scalars.size());
}

void decodeShuffle(FunctionEmitter &e, const ShuffleVectorInst &inst) {
  const int lanes = static_cast<int>(e.layoutOf(inst.getOperand(0)).scalars.size());
  ArrayRef<int> mask = inst.getShuffleMask();
  e.forEachScalar(inst, [&](unsigned i, const Scalar &s, uint32_t dst) {
    int from = mask[i];
    Operand o = Operand::ofConstant(0); // a lane that must not be read
    if (from >= 0)
      o = from < lanes ? e.use(inst.getOperand(0), static_cast<unsigned>(from))
                       : e.use(inst.getOperand(1), static_cast<unsigned>(from - lanes));
    e.move(dst, o.undef ? Operand::ofConstant(0) : o, s.bits);
  });
}

void repack(FunctionEmitter &e, ArrayRef<Operand> from, ArrayRef<Scalar> fromLayout, uint32_t dst,
            ArrayRef<Scalar> toLayout) {
  // Bit positions count from the first scalar's lowest bit (little endian).
  SmallVector<unsigned, 16> starts;
  unsigned position = 0;
  for (const Scalar &s : fromLayout) {
    starts.push_back(position);
    position += s.bits;
  }
  unsigned at = 0;
  for (const Scalar &to : toLayout) {
    // to = OR over the sources that overlap it of (source >> a) << b, cut to its width.
    const uint32_t target = dst + to.slot;
    bool first = true;
    for (size_t i = 0; i < from.size(); ++i) {
      const unsigned begin = starts[i], end = begin + fromLayout[i].bits;
      if (end <= at || begin >= at + to.bits) continue;
      const unsigned skip =
          begin < at ? at - begin : 0; // low bits of the source that belong to earlier targets
      const unsigned shift = begin > at ? begin - at : 0; // where the rest goes
      const unsigned sourceBits = fromLayout[i].bits;
      Operand part = from[i];
      if (part.undef) part = Operand::ofConstant(0);
      if (part.constant) {
        APInt v = APInt(sourceBits, {part.lo, part.hi}).lshr(skip).zextOrTrunc(to.bits).shl(shift);
        part = Operand::ofConstant(v.getRawData()[0], to.bits > 64 ? v.getRawData()[1] : 0);
      } else {
        // The last step of the first part writes the target itself.
        const bool resize = sourceBits != to.bits;
        auto place = [&](unsigned bits, bool last) {
          return last && first ? target : e.scratch(slotsOfWidth(bits));
        };
        if (skip) {
          uint32_t shifted = place(sourceBits, !resize && !shift);
          binary(e, Instruction::LShr, sourceBits, shifted, part, Operand::ofConstant(skip));
          part = Operand::ofSlot(shifted);
        }
        if (resize) {
          uint32_t resized = place(to.bits, !shift);
          if (sourceBits > to.bits)
            truncate(e, resized, to.bits, part, sourceBits);
          else
            zeroExtend(e, resized, to.bits, part, sourceBits);
          part = Operand::ofSlot(resized);
        }
        if (shift) {
          uint32_t shifted = place(to.bits, /*last=*/true);
          binary(e, Instruction::Shl, to.bits, shifted, part, Operand::ofConstant(shift));
          part = Operand::ofSlot(shifted);
        }
      }
      if (first)
        e.move(target, part, to.bits);
      else
        binary(e, Instruction::Or, to.bits, target, Operand::ofSlot(target), part);
      first = false;
    }
    at += to.bits;
  }
}

bool decodeReduction(FunctionEmitter &e, const IntrinsicInst &inst) {
  unsigned opcode = 0;
  CmpInst::Predicate keep = CmpInst::BAD_ICMP_PREDICATE;
  std::optional<FpMath> math;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::vector_reduce_add: opcode = Instruction::Add; break;
  case Intrinsic::vector_reduce_mul: opcode = Instruction::Mul; break;
  case Intrinsic::vector_reduce_and: opcode = Instruction::And; break;
  case Intrinsic::vector_reduce_or: opcode = Instruction::Or; break;
  case Intrinsic::vector_reduce_xor: opcode = Instruction::Xor; break;
  case Intrinsic::vector_reduce_fadd: opcode = Instruction::FAdd; break;
  case Intrinsic::vector_reduce_fmul: opcode = Instruction::FMul; break;
  case Intrinsic::vector_reduce_smax: keep = CmpInst::ICMP_SGT; break;
  case Intrinsic::vector_reduce_smin: keep = CmpInst::ICMP_SLT; break;
  case Intrinsic::vector_reduce_umax: keep = CmpInst::ICMP_UGT; break;
  case Intrinsic::vector_reduce_umin: keep = CmpInst::ICMP_ULT; break;
  case Intrinsic::vector_reduce_fmax: math = FpMath::MaxNum; break;
  case Intrinsic::vector_reduce_fmin: math = FpMath::MinNum; break;
  case Intrinsic::vector_reduce_fmaximum: math = FpMath::Maximum; break;
  case Intrinsic::vector_reduce_fminimum: math = FpMath::Minimum; break;
  default: return false;
  }
  const bool hasStart = opcode == Instruction::FAdd || opcode == Instruction::FMul;
  const Value *vector = inst.getArgOperand(hasStart ? 1 : 0);
  const Layout &layout = e.layoutOf(vector);
  const Scalar lane = layout.scalars.front();
  uint32_t dst = e.define(inst);
  e.move(dst, hasStart ? e.use(inst.getArgOperand(0)) : e.use(vector, 0), lane.bits);
  for (unsigned i = hasStart ? 0 : 1; i < layout.scalars.size(); ++i) {
    Operand sum = Operand::ofSlot(dst), next = e.use(vector, i);
    if (math) {
      uint32_t y = e.reg(next, lane.bits);
      e.emit(Op::FMath2, static_cast<unsigned>(lane.fp), dst, dst, y, 0,
             static_cast<uint32_t>(*math));
    } else if (hasStart) {
      floatBinary(e, opcode, lane.fp, dst, sum, next);
    } else if (opcode) {
      binary(e, opcode, lane.bits, dst, sum, next);
    } else {
      minMax(e, keep, lane.bits, dst, sum, next);
    }
  }
  return true;
}

} // namespace fathom::program
