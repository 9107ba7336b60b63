// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots: temporary ones, those of values that are defined, and operands brought into one.
#include "program/FunctionEmitter.h"

#include "program/DecodeInstructions.h"
#include "program/Operands.h"
#include "program/ShareSlots.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace fathom::program {

void FunctionEmitter::beginBlock(const BasicBlock &now, const BasicBlock *following,
                                 bool isOnCycle) {
  block = &now;
  next = following;
  hoistConstants_ = isOnCycle;
  forgetBlockConstants();
  if (shareSlots) tempNext_ = 0;
  tempFree_.clear();
  uint32_t label = labelOf(&now);
  placeLabel(label);
  blockStartLabels_.push_back(label);
}

void FunctionEmitter::undoTo(size_t size) {
  code_.resize(size);
  locs_.resize(size);
}

uint32_t FunctionEmitter::allocTemp(uint32_t slots) {
  auto it = tempFree_.find(slots);
  if (shareSlots && it != tempFree_.end() && !it->second.empty()) {
    uint32_t slot = it->second.back();
    it->second.pop_back();
    return slot;
  }
  uint32_t slot = tempNext_;
  tempNext_ += slots;
  tempMax_ = std::max(tempMax_, tempNext_);
  return slot | kTempBit;
}

void FunctionEmitter::freeTemp(uint32_t slot, uint32_t slots) {
  if (slots) tempFree_[slots].push_back(slot);
}

uint32_t FunctionEmitter::scratch(uint32_t slots) {
  uint32_t slot = allocTemp(slots);
  scratch_.push_back({slot, slots});
  return slot;
}

void FunctionEmitter::releaseScratch() {
  for (auto [slot, n] : scratch_) freeTemp(slot, n);
  scratch_.clear();
}

uint32_t FunctionEmitter::define(const Instruction &inst) {
  ValueState &state = values.find(&inst)->second;
  if (state.slot == kNoIndex) state.slot = allocTemp(layoutOf(&inst).slots);
  return state.slot;
}

Operand FunctionEmitter::use(const Value *v, unsigned index) {
  if (auto *constant = dyn_cast<Constant>(v)) {
    auto word = shared.constants.element(constant, index);
    if (!word) {
      std::string text;
      raw_string_ostream(text) << *constant;
      fail("constant " + text);
      return Operand::ofConstant(0);
    }
    Operand o = Operand::ofConstant(word->lo, word->hi);
    o.undef = word->undef;
    return o;
  }
  auto it = values.find(v);
  if (it == values.end()) {
    fail("operand that is not a value");
    return Operand::ofConstant(0);
  }
  const ValueState &state = it->second;
  switch (state.mode) {
  case ValueMode::Own:
    assert(state.slot != kNoIndex && "value read before it was decoded");
    return Operand::ofSlot(state.slot + layoutOf(v).scalars[index].slot);
  case ValueMode::FoldedGep: {
    // Only reached with a constant base: other folded GEPs are read through addressOf.
    PointerParts address = addressOf(*this, v);
    assert(address.base.constant && "folded GEP read as a value");
    return Operand::ofConstant(address.base.lo + static_cast<uint64_t>(address.offset));
  }
  case ValueMode::FoldedSext: return use(cast<Instruction>(v)->getOperand(0));
  case ValueMode::Alias: break;
  }
  auto *inst = cast<Instruction>(v);
  if (auto *extract = dyn_cast<ExtractValueInst>(inst))
    return use(extract->getAggregateOperand(),
               firstScalar(shared.layouts, extract->getAggregateOperand()->getType(),
                           extract->getIndices()) +
                   index);
  if (auto *extract = dyn_cast<ExtractElementInst>(inst))
    return use(
        extract->getVectorOperand(),
        static_cast<unsigned>(cast<ConstantInt>(extract->getIndexOperand())->getZExtValue()));
  Operand o = use(inst->getOperand(0), index);
  if (isa<FreezeInst>(inst) && o.undef) o = Operand::ofConstant(0);
  return o;
}

uint32_t FunctionEmitter::reg(const Operand &o, unsigned bits) {
  if (!o.constant) return o.slot;
  if (o.undef) {
    uint32_t slot = scratch(slotsOfWidth(bits));
    uninit(slot, bits);
    return slot;
  }
  if (bits > 64) {
    uint32_t high = static_cast<uint32_t>(o.hi >> 32), low = static_cast<uint32_t>(o.hi);
    if (hoistConstants_) {
      auto [it, fresh] = hoistedWide_.try_emplace({o.lo, o.hi}, kConstBit | entryConstantSlots_);
      if (fresh) {
        entryConstants_.push_back(
            {Op::WideConst, uint8_t(bits), 0, it->second, 0, 0, low, high, o.lo});
        entryConstantSlots_ += 2;
      }
      return it->second;
    }
    auto [it, fresh] = blockWideConstants_.try_emplace({o.lo, o.hi}, 0);
    if (fresh) {
      it->second = allocTemp(2);
      emit(Op::WideConst, bits, it->second, 0, 0, low, high, o.lo);
    }
    return it->second;
  }
  if (hoistConstants_) {
    auto [it, fresh] = hoisted_.try_emplace(o.lo, kConstBit | entryConstantSlots_);
    if (fresh) {
      entryConstants_.push_back({Op::Const, uint8_t(bits), 0, it->second, 0, 0, 0, 0, o.lo});
      entryConstantSlots_ += 1;
    }
    return it->second;
  }
  auto [it, fresh] = blockConstants_.try_emplace(o.lo, 0);
  if (fresh) {
    it->second = allocTemp(1);
    emit(Op::Const, bits, it->second, 0, 0, 0, 0, o.lo);
  }
  return it->second;
}

uint32_t FunctionEmitter::useReg(const Value *v, unsigned index) {
  return reg(use(v, index), layoutOf(v).scalars[index].bits);
}

uint32_t FunctionEmitter::useAll(const Value *v) {
  const Layout &layout = layoutOf(v);
  if (layout.scalars.empty()) return 0;
  if (layout.scalars.size() == 1) return useReg(v);
  // Already consecutive?
  Operand first = use(v, 0);
  bool inPlace = !first.constant;
  for (unsigned i = 1; inPlace && i < layout.scalars.size(); ++i) {
    Operand o = use(v, i);
    inPlace = !o.constant && o.slot == first.slot + layout.scalars[i].slot;
  }
  if (inPlace) return first.slot;
  uint32_t slot = scratch(layout.slots);
  for (unsigned i = 0; i < layout.scalars.size(); ++i)
    move(slot + layout.scalars[i].slot, use(v, i), layout.scalars[i].bits);
  return slot;
}

Inst &FunctionEmitter::emit(Op op, unsigned w, uint32_t dst, uint32_t a, uint32_t b, uint32_t c,
                            uint32_t d, uint64_t imm, uint8_t flags) {
  code_.push_back({op, static_cast<uint8_t>(w), flags, dst, a, b, c, d, imm});
  locs_.push_back(location_);
  return code_.back();
}

void FunctionEmitter::uninit(uint32_t dst, unsigned bits, uint32_t variable) {
  emit(Op::Uninit, bits, dst, 0, 0, 0, variable);
}

void FunctionEmitter::move(uint32_t dst, const Operand &o, unsigned bits) {
  if (o.constant && o.undef) {
    uninit(dst, bits);
  } else if (o.constant && bits > 64) {
    emit(Op::WideConst, bits, dst, 0, 0, static_cast<uint32_t>(o.hi),
         static_cast<uint32_t>(o.hi >> 32), o.lo);
  } else if (o.constant) {
    emit(Op::Const, bits, dst, 0, 0, 0, 0, o.lo);
  } else if (o.slot != dst) {
    emit(bits > 64 ? Op::WideMov : Op::Mov, bits, dst, o.slot);
  }
}

void FunctionEmitter::finish() {
  const uint32_t prefix = static_cast<uint32_t>(entryConstants_.size());
  const uint32_t constBase = crossSlots, tempBase = crossSlots + entryConstantSlots_;
  auto number = [&](uint32_t &slot) {
    if (slot & kTempBit)
      slot = tempBase + (slot & ~kTempBit);
    else if (slot & kConstBit)
      slot = constBase + (slot & ~kConstBit);
  };
  for (auto [stub, block] : emptyStubs_) labels_[stub] = labels_[block];
  // The constants belong to the entry block, which nothing jumps to.
  for (uint32_t &label : labels_) label += prefix;
  labels_[blockStartLabels_.front()] = 0;

  out.code = std::move(entryConstants_);
  out.code.insert(out.code.end(), code_.begin(), code_.end());
  for (auto &[inst, location] : out.lineStarts) inst += prefix;
  out.locs.assign(prefix, 0);
  out.locs.insert(out.locs.end(), locs_.begin(), locs_.end());
  for (Inst &inst : out.code) {
    forEachSlot(inst, [&](uint32_t &slot, uint32_t, bool) { number(slot); });
    if (inst.op == Op::Jmp) inst.c = labels_[inst.c];
    if (inst.op == Op::CondJmp) inst.c = labels_[inst.c], inst.d = labels_[inst.d];
  }
  for (uint32_t &slot : out.pool) number(slot);
  for (auto &list : out.varArgs)
    for (VarArg &arg : list) number(arg.slot);
  for (SwitchTable &table : out.switches) {
    table.defaultTarget = labels_[table.defaultTarget];
    for (uint32_t &target : table.targets) target = labels_[target];
  }
  for (auto &list : out.blockTargets)
    for (auto &[address, target] : list) target = labels_[target];
  for (uint32_t label : blockStartLabels_) out.blockStarts.push_back(labels_[label]);
  out.localBase = tempBase;
  out.slots = tempBase + tempMax_;
  if (shareSlots) fathom::program::shareSlots(shared.program, out);
}

} // namespace fathom::program
