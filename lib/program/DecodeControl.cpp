// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow: branches, switches, returns, and the copies into phis, which happen on edges. An
// edge into a block with phis from a block with several successors gets a stub of its own right
// behind the block it comes from, so the copies of one edge never disturb another.
#include "program/Decoder.h"
#include "program/Load.h"
#include "program/Operands.h"

using namespace llvm;

namespace fathom::program {

void FunctionDecoder::decodeBranch(const BranchInst &inst) {
  if (inst.isUnconditional()) return jumpTo(inst.getSuccessor(0));
  uint32_t condition = useReg(inst.getCondition());
  uint32_t whenTrue = edge(inst.getSuccessor(0)), whenFalse = edge(inst.getSuccessor(1));
  emit(Op::CondJmp, 1, 0, condition, 0, whenTrue, whenFalse, m_.branchId(inst),
       out_.own ? kOwn : 0);
}

void FunctionDecoder::jumpTo(const BasicBlock *to) {
  phiCopies(to);
  if (failed()) return;
  // The next block in the code is reached by falling into it; a block is never empty, so that it
  // has a location.
  if (to == next_ && code_.size() > labels_[labelOf(block_)]) return;
  emit(Op::Jmp, 0, 0, 0, 0, labelOf(to));
}

uint32_t FunctionDecoder::edge(const BasicBlock *to) {
  if (to->phis().empty()) return labelOf(to);
  for (auto &[block, label] : stubs_)
    if (block == to) return label;
  stubs_.push_back({to, newLabel()});
  return stubs_.back().second;
}

void FunctionDecoder::emitStubs() {
  for (auto [to, label] : stubs_) {
    placeLabel(label);
    const size_t start = code_.size();
    failure_.clear();
    phiCopies(to);
    if (failed()) {
      code_.resize(start);
      locs_.resize(start);
      emit(Op::Unsupported, 0, 0, 0, 0, 0, 0, m_.message("unsupported: " + failure_ + " (phi)"));
    } else if (code_.size() == start) {
      emptyStubs_.push_back({label, labelOf(to)}); // all values were computed in place
    } else {
      emit(Op::Jmp, 0, 0, 0, 0, labelOf(to));
    }
    for (auto [slot, n] : scratch_) freeTemp(slot, n);
    scratch_.clear();
  }
  stubs_.clear();
}

/// All phis of a block are assigned at once: a copy is emitted when nothing still to be copied
/// reads its target; what is left then are cycles, which are opened by saving one target in a
/// scratch slot.
void FunctionDecoder::phiCopies(const BasicBlock *to) {
  struct Copy {
    uint32_t dst;
    Operand from;
    unsigned bits;
    bool overlaps(uint32_t slot, unsigned width) const {
      return !from.constant && from.slot < slot + slotsOfWidth(width) &&
             slot < from.slot + slotsOfWidth(bits);
    }
  };
  SmallVector<Copy, 8> pending, constants;
  for (const PHINode &phi : to->phis()) {
    const Layout &layout = layoutOf(&phi);
    if (const std::string &why = unsupportedType(layout); !why.empty()) return fail(why);
    if (phi.use_empty()) continue;
    const Value *value = phi.getIncomingValueForBlock(block_);
    uint32_t dst = values_.find(&phi)->second.slot;
    for (unsigned i = 0; i < layout.scalars.size(); ++i) {
      const Scalar &s = layout.scalars[i];
      Operand from = use(value, i);
      if (from.undef) from = Operand::ofConstant(0); // docs/undef-poison.md
      if (from.constant)
        constants.push_back({dst + s.slot, from, s.bits});
      else if (from.slot != dst + s.slot)
        pending.push_back({dst + s.slot, from, s.bits});
    }
  }
  if (failed()) return;
  while (!pending.empty()) {
    bool progress = false;
    for (size_t i = 0; i < pending.size(); ++i) {
      const Copy copy = pending[i];
      bool blocked = false;
      for (size_t j = 0; j < pending.size() && !blocked; ++j)
        blocked = j != i && pending[j].overlaps(copy.dst, copy.bits);
      if (blocked) continue;
      move(copy.dst, copy.from, copy.bits);
      pending.erase(pending.begin() + i);
      progress = true;
      --i;
    }
    if (progress || pending.empty()) continue;
    Copy &first = pending.front();
    uint32_t saved = scratch(slotsOfWidth(first.bits));
    move(saved, Operand::ofSlot(first.dst), first.bits);
    for (Copy &copy : pending)
      if (copy.overlaps(first.dst, first.bits))
        copy.from.slot = saved + (copy.from.slot - first.dst);
  }
  for (const Copy &copy : constants) move(copy.dst, copy.from, copy.bits);
}

void FunctionDecoder::decodeSwitch(const SwitchInst &inst) {
  const unsigned bits = layoutOf(inst.getCondition()).scalars[0].bits;
  SwitchTable table;
  table.branchId = m_.branchId(inst);
  table.own = out_.own;
  struct Case {
    uint64_t value;
    uint32_t target, side;
  };
  std::vector<Case> cases;
  const std::vector<uint32_t> sides = switchSides(inst);
  uint32_t number = 0;
  for (const auto &c : inst.cases()) {
    ++number;
    // A switch on more than 64 bits is one on the number of the case that matches.
    uint64_t value = bits > 64 ? number : c.getCaseValue()->getZExtValue();
    cases.push_back({value, edge(c.getCaseSuccessor()), sides[number]});
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case &a, const Case &b) { return a.value < b.value; });
  for (const Case &c : cases) {
    table.values.push_back(c.value);
    table.targets.push_back(c.target);
    table.sides.push_back(c.side);
  }
  table.defaultTarget = edge(inst.getDefaultDest());
  uint32_t on = bits > 64 ? switchIndex(inst) : useReg(inst.getCondition());
  if (failed()) return;
  emit(Op::Switch, std::min(bits, 64u), 0, on, 0, 0, 0, out_.switches.size());
  out_.switches.push_back(std::move(table));
}

/// The number (from 1) of the case whose value the wide condition has, 0 for none, without
/// branching.
uint32_t FunctionDecoder::switchIndex(const SwitchInst &inst) {
  const unsigned bits = layoutOf(inst.getCondition()).scalars[0].bits;
  Operand condition = use(inst.getCondition());
  uint32_t index = scratch(), equal = scratch();
  move(index, Operand::ofConstant(0), 64);
  uint32_t side = 0;
  for (const auto &c : inst.cases()) {
    ++side;
    compare(CmpInst::ICMP_EQ, bits, equal, condition, use(c.getCaseValue()));
    select(64, index, Operand::ofSlot(equal), Operand::ofConstant(side), Operand::ofSlot(index));
  }
  return index;
}

void FunctionDecoder::decodeIndirectBr(const IndirectBrInst &inst) {
  std::vector<std::pair<uint64_t, uint32_t>> targets;
  for (unsigned i = 0; i < inst.getNumSuccessors(); ++i) {
    const BasicBlock *block = inst.getSuccessor(i);
    uint64_t address = m_.constants.address(block);
    if (address == 0) continue; // its address is never taken
    bool known = false;
    for (auto &[other, target] : targets) known |= other == address;
    if (!known) targets.push_back({address, edge(block)});
  }
  uint32_t address = useReg(inst.getAddress());
  emit(Op::IndirectBr, 64, 0, address, 0, 0, 0, out_.blockTargets.size());
  out_.blockTargets.push_back(std::move(targets));
}

void FunctionDecoder::decodeReturn(const ReturnInst &inst) {
  if (!inst.getReturnValue() || layoutOf(inst.getReturnValue()).slots == 0) {
    emit(Op::RetVoid, 0, 0);
    return;
  }
  uint32_t value = useAll(inst.getReturnValue());
  emit(Op::Ret, 0, 0, value, layoutOf(inst.getReturnValue()).slots);
}

} // namespace fathom::program
