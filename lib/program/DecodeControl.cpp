// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow: branches, switches, returns, and the copies into phis, which happen on edges. An
// edge into a block with phis from a block with several successors gets a stub of its own right
// after the block it comes from, so the copies of one edge never disturb another.
#include "program/DecodeInstructions.h"
#include "program/Load.h"
#include "program/Operands.h"
#include "program/Prepare.h"

using namespace llvm;

namespace fathom::program {

static uint32_t edge(FunctionEmitter &e, const BasicBlock *to);
static void phiCopies(FunctionEmitter &e, const BasicBlock *to);
static uint32_t switchIndex(FunctionEmitter &e, const SwitchInst &inst);

void decodeBranch(FunctionEmitter &e, const BranchInst &inst) {
  if (inst.isUnconditional()) return jumpTo(e, inst.getSuccessor(0));
  uint32_t condition = e.useReg(inst.getCondition());
  uint32_t whenTrue = edge(e, inst.getSuccessor(0)), whenFalse = edge(e, inst.getSuccessor(1));
  e.emit(Op::CondJmp, 1, 0, condition, 0, whenTrue, whenFalse, e.shared.branchId(inst),
         e.out.own && !isUnwindBranch(inst) ? kOwn : 0);
}

void jumpTo(FunctionEmitter &e, const BasicBlock *to) {
  phiCopies(e, to);
  if (e.failed()) return;
  // The next block in the code is reached by falling into it; a block is never empty, so that it
  // has a location.
  if (to == e.next && !e.isAtBlockStart()) return;
  e.emit(Op::Jmp, 0, 0, 0, 0, e.labelOf(to));
}

static uint32_t edge(FunctionEmitter &e, const BasicBlock *to) {
  if (to->phis().empty()) return e.labelOf(to);
  for (auto &[block, label] : e.stubs)
    if (block == to) return label;
  e.stubs.push_back({to, e.newLabel()});
  return e.stubs.back().second;
}

void emitStubs(FunctionEmitter &e) {
  for (auto [to, label] : e.stubs) {
    e.placeLabel(label);
    const size_t start = e.size();
    e.failure.clear();
    phiCopies(e, to);
    if (e.failed()) {
      e.undoTo(start);
      e.emit(Op::Unsupported, 0, 0, 0, 0, 0, 0,
             e.shared.message("unsupported: " + e.failure + " (phi)"));
    } else if (e.size() == start) {
      e.noteEmptyStub(label, e.labelOf(to)); // all values were computed in place
    } else {
      e.emit(Op::Jmp, 0, 0, 0, 0, e.labelOf(to));
    }
    e.releaseScratch();
  }
  e.stubs.clear();
}

/// All phis of a block are assigned at once: a copy is emitted when nothing still to be copied
/// reads its target; what is left then are cycles, which are opened by saving one target in a
/// scratch slot.
static void phiCopies(FunctionEmitter &e, const BasicBlock *to) {
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
    const Layout &layout = e.layoutOf(&phi);
    if (const std::string &why = unsupportedType(layout); !why.empty()) return e.fail(why);
    if (phi.use_empty()) continue;
    const Value *value = phi.getIncomingValueForBlock(e.block);
    uint32_t dst = e.values.find(&phi)->second.slot;
    for (unsigned i = 0; i < layout.scalars.size(); ++i) {
      const Scalar &s = layout.scalars[i];
      Operand from = e.use(value, i);
      if (from.undef) from = Operand::ofConstant(0); // docs/undef-poison.md
      if (from.constant)
        constants.push_back({dst + s.slot, from, s.bits});
      else if (from.slot != dst + s.slot)
        pending.push_back({dst + s.slot, from, s.bits});
    }
  }
  if (e.failed()) return;
  while (!pending.empty()) {
    bool progress = false;
    for (size_t i = 0; i < pending.size(); ++i) {
      const Copy copy = pending[i];
      bool blocked = false;
      for (size_t j = 0; j < pending.size() && !blocked; ++j)
        blocked = j != i && pending[j].overlaps(copy.dst, copy.bits);
      if (blocked) continue;
      e.move(copy.dst, copy.from, copy.bits);
      pending.erase(pending.begin() + i);
      progress = true;
      --i;
    }
    if (progress || pending.empty()) continue;
    Copy &first = pending.front();
    uint32_t saved = e.scratch(slotsOfWidth(first.bits));
    e.move(saved, Operand::ofSlot(first.dst), first.bits);
    for (Copy &copy : pending)
      if (copy.overlaps(first.dst, first.bits))
        copy.from.slot = saved + (copy.from.slot - first.dst);
  }
  for (const Copy &copy : constants) e.move(copy.dst, copy.from, copy.bits);
}

void decodeSwitch(FunctionEmitter &e, const SwitchInst &inst) {
  const unsigned bits = e.layoutOf(inst.getCondition()).scalars[0].bits;
  SwitchTable table;
  table.branchId = e.shared.branchId(inst);
  table.own = e.out.own;
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
    cases.push_back({value, edge(e, c.getCaseSuccessor()), sides[number]});
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case &a, const Case &b) { return a.value < b.value; });
  for (const Case &c : cases) {
    table.values.push_back(c.value);
    table.targets.push_back(c.target);
    table.sides.push_back(c.side);
  }
  table.defaultTarget = edge(e, inst.getDefaultDest());
  uint32_t on = bits > 64 ? switchIndex(e, inst) : e.useReg(inst.getCondition());
  if (e.failed()) return;
  e.emit(Op::Switch, std::min(bits, 64u), 0, on, 0, 0, 0, e.out.switches.size());
  e.out.switches.push_back(std::move(table));
}

/// The number (from 1) of the case whose value the wide condition has, 0 for none, without
/// branching.
static uint32_t switchIndex(FunctionEmitter &e, const SwitchInst &inst) {
  const unsigned bits = e.layoutOf(inst.getCondition()).scalars[0].bits;
  Operand condition = e.use(inst.getCondition());
  uint32_t index = e.scratch(), equal = e.scratch();
  e.move(index, Operand::ofConstant(0), 64);
  uint32_t side = 0;
  for (const auto &c : inst.cases()) {
    ++side;
    compare(e, CmpInst::ICMP_EQ, bits, equal, condition, e.use(c.getCaseValue()));
    select(e, 64, index, Operand::ofSlot(equal), Operand::ofConstant(side), Operand::ofSlot(index));
  }
  return index;
}

void decodeIndirectBr(FunctionEmitter &e, const IndirectBrInst &inst) {
  std::vector<std::pair<uint64_t, uint32_t>> targets;
  for (unsigned i = 0; i < inst.getNumSuccessors(); ++i) {
    const BasicBlock *block = inst.getSuccessor(i);
    uint64_t address = e.shared.constants.address(block);
    if (address == 0) continue; // its address is never taken
    bool known = false;
    for (auto &[other, target] : targets) known |= other == address;
    if (!known) targets.push_back({address, edge(e, block)});
  }
  uint32_t address = e.useReg(inst.getAddress());
  e.emit(Op::IndirectBr, 64, 0, address, 0, 0, 0, e.out.blockTargets.size());
  e.out.blockTargets.push_back(std::move(targets));
}

void decodeReturn(FunctionEmitter &e, const ReturnInst &inst) {
  if (!inst.getReturnValue() || e.layoutOf(inst.getReturnValue()).slots == 0) {
    e.emit(Op::RetVoid, 0, 0);
    return;
  }
  uint32_t value = e.useAll(inst.getReturnValue());
  e.emit(Op::Ret, 0, 0, value, e.layoutOf(inst.getReturnValue()).slots);
}

} // namespace fathom::program
