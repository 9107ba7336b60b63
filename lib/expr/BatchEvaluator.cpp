// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation in two passes: schedule() lists the terms below the roots, operands first, and counts
// how often each is used; emit() makes instructions in that order, and gives a slot back when the
// last instruction that reads it has been made, so that few slots are in use at a time and the
// lanes stay in the processor's caches.
#include "expr/BatchEvaluator.h"

#include "expr/Fold.h"
#include "expr/TermVisitor.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstring>

namespace fathom::expr {

/// The terms whose values the instructions for `e` read; constants too. False: not supported.
static bool collectOperands(ExprPtr e, llvm::SmallVectorImpl<ExprPtr> &out) {
  if (e->kind() != Kind::Read) {
    for (unsigned i = 0; i < e->numOps(); ++i) out.push_back(e->op(i));
  } else {
    ExprPtr index = e->op(1), array = e->op(0);
    if (array->kind() == Kind::ConstArray) // a table is looked up with lanes of any type
      while (index->kind() == Kind::ZExt) index = index->op(0);
    out.push_back(index);
    for (; array->kind() == Kind::Store; array = array->op(0)) {
      out.push_back(array->op(1));
      out.push_back(array->op(2));
    }
  }
  return std::all_of(out.begin(), out.end(),
                     [](ExprPtr op) { return op->width() >= 1 && op->width() <= 64; });
}

struct BatchEvaluator::Compiler {
  // A slot is counted for each instruction to come that reads it, for each root, and while it is
  // held; inputs and constants are always held.
  struct Slot {
    Place place;
    uint32_t uses;
  };
  using SlotId = uint32_t;
  static constexpr SlotId kNone = ~0u;
  struct Node {
    ExprPtr term;
    SlotId slot; // kNone until emitted
    uint32_t uses;
  };
  struct Byte {
    ExprPtr symbol;
    uint64_t index;
    SlotId slot;
  };
  struct Constant {
    uint64_t value;
    SlotId slot;
  };

  TermNotes places; // of terms in nodes
  std::vector<Node> nodes;
  std::vector<Slot> slots;
  std::vector<Byte> bytes;
  std::vector<Constant> constants;
  std::vector<Place> unused[3];
  std::vector<LaneInstruction> code;
  size_t bufferSize = 0;
  size_t maxInstructions = 0;

  // --- slots
  /// Held. `own`: in a place that no instruction before writes to, for what is filled only once.
  SlotId newSlot(LaneType lanes, bool own = false) {
    auto &reusable = unused[static_cast<unsigned>(lanes)];
    Place place{static_cast<uint32_t>(bufferSize), lanes};
    if (own || reusable.empty()) {
      bufferSize += kLanes * laneBytes(lanes);
    } else {
      place = reusable.back();
      reusable.pop_back();
    }
    slots.push_back({place, 1});
    return static_cast<SlotId>(slots.size() - 1);
  }
  void release(SlotId id) {
    assert(slots[id].uses && "released more often than used");
    if (--slots[id].uses == 0)
      unused[static_cast<unsigned>(slots[id].place.lanes)].push_back(slots[id].place);
  }
  SlotId hold(SlotId id) {
    ++slots[id].uses;
    return id;
  }
  LaneType lanesOf(SlotId id) const { return slots[id].place.lanes; }
  SlotId constant(uint64_t value, LaneType lanes) {
    for (const Constant &c : constants)
      if (c.value == value && lanesOf(c.slot) == lanes) return c.slot;
    constants.push_back({value, newSlot(lanes, /*own=*/true)});
    return constants.back().slot;
  }
  SlotId operand(ExprPtr e) {
    if (e->isConst()) return constant(e->value(), laneTypeOf(e->width()));
    return nodes[places.get(e)].slot;
  }
  SlotId byteSlot(ExprPtr symbol, uint64_t index) const {
    for (const Byte &b : bytes)
      if (b.symbol == symbol && b.index == index) return b.slot;
    return kNone;
  }

  // --- first pass
  bool schedule(ExprPtr root);
  bool isReadable(ExprPtr read) const;

  // --- second pass
  void emit(Node &node);
  SlotId emitOperation(ExprPtr e);
  SlotId emitRead(ExprPtr e);
  SlotId emitBinary(ExprPtr e);
  SlotId emitChoice(ExprPtr index, ExprPtr other, uint64_t otherValue, SlotId then,
                    SlotId otherwise);
  SlotId widened(ExprPtr e, LaneType to);
  SlotId add(LaneInstruction i, LaneType out) {
    SlotId slot = newSlot(out);
    i.out = slots[slot].place.offset;
    code.push_back(i);
    return slot;
  }
  uint32_t offset(SlotId id) const { return slots[id].place.offset; }
};

// --- first pass
// --------------------------------------------------------------------------------------------------

/// A byte that a read at a constant index may reach is an input.
bool BatchEvaluator::Compiler::isReadable(ExprPtr read) const {
  ExprPtr index = read->op(1), array = read->op(0);
  while (array->kind() == Kind::Store) array = array->op(0);
  if (array->kind() == Kind::ConstArray || !index->isConst()) return true;
  return index->value() >= array->array().sizeBytes || byteSlot(array, index->value()) != kNone;
}

bool BatchEvaluator::Compiler::schedule(ExprPtr root) {
  if (root->isConst() || places.has(root)) return root->width() <= 64;
  struct Frame {
    ExprPtr term;
    uint32_t next, end; // its operands in `operands`
  };
  std::vector<Frame> stack;
  llvm::SmallVector<ExprPtr, 64> operands;
  llvm::SmallVector<ExprPtr, 8> own;
  auto push = [&](ExprPtr e) {
    own.clear();
    if (!collectOperands(e, own) || (e->kind() == Kind::Read && !isReadable(e))) return false;
    places.set(e, kNone); // on its way; a term is not below itself, so nobody asks
    auto begin = static_cast<uint32_t>(operands.size());
    operands.append(own.begin(), own.end());
    stack.push_back({e, begin, static_cast<uint32_t>(operands.size())});
    return operands.size() <= maxInstructions && nodes.size() <= maxInstructions;
  };
  if (root->width() > 64 || !push(root)) return false;
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next < top.end) {
      ExprPtr op = operands[top.next++];
      if (!op->isConst() && !places.has(op) && !push(op)) return false;
      continue;
    }
    own.clear();
    collectOperands(top.term, own);
    for (ExprPtr op : own)
      if (!op->isConst()) ++nodes[places.get(op)].uses;
    operands.truncate(top.end - own.size());
    places.set(top.term, nodes.size());
    nodes.push_back({top.term, kNone, 0});
    stack.pop_back();
  }
  return true;
}

// --- second pass
// -------------------------------------------------------------------------------------------------

using Lanes = LaneInstruction;

void BatchEvaluator::Compiler::emit(Node &node) {
  SlotId slot = emitOperation(node.term); // held
  slots[slot].uses += node.uses;
  node.slot = slot;
  llvm::SmallVector<ExprPtr, 8> operands;
  collectOperands(node.term, operands);
  for (ExprPtr op : operands)
    if (!op->isConst()) release(nodes[places.get(op)].slot);
  release(slot);
}

/// The value of e in lanes that are not narrower than its own; held.
BatchEvaluator::Compiler::SlotId BatchEvaluator::Compiler::widened(ExprPtr e, LaneType to) {
  if (e->isConst()) return hold(constant(e->value(), to));
  SlotId from = operand(e);
  if (lanesOf(from) == to) return hold(from);
  return add({.kind = Kind::ZExt, .from = lanesOf(from), .to = to, .a = offset(from)}, to);
}

BatchEvaluator::Compiler::SlotId BatchEvaluator::Compiler::emitBinary(ExprPtr e) {
  ExprPtr a = e->op(0), b = e->op(1);
  if (a->isConst() && isCommutative(e->kind())) std::swap(a, b);
  const LaneType lanes = laneTypeOf(a->width());
  Lanes i{.kind = e->kind(),
          .from = lanes,
          .to = lanes,
          .width = static_cast<uint8_t>(a->width()),
          .a = offset(operand(a)),
          .mask = lowMask(e->width())};
  if (b->isConst()) {
    i.hasImmediate = true;
    i.immediate = b->value();
  } else {
    i.b = offset(operand(b));
  }
  return add(i, laneTypeOf(e->width()));
}

/// Where index equals `other` (a term; null: otherValue) then, otherwise otherwise.
BatchEvaluator::Compiler::SlotId BatchEvaluator::Compiler::emitChoice(ExprPtr index, ExprPtr other,
                                                                      uint64_t otherValue,
                                                                      SlotId then,
                                                                      SlotId otherwise) {
  if (other && other->isConst()) otherValue = other->value(), other = nullptr;
  if (index->isConst()) {
    if (!other) return hold(index->value() == otherValue ? then : otherwise);
    std::swap(index, other);
    otherValue = other->value(), other = nullptr;
  }
  Lanes i{.kind = Kind::Eq,
          .from = LaneType::U64,
          .to = LaneType::U64,
          .hasImmediate = !other,
          .width = 64,
          .a = offset(operand(index)),
          .immediate = otherValue};
  if (other) i.b = offset(operand(other));
  SlotId equal = add(i, LaneType::U8);
  SlotId result = add({.kind = Kind::Ite,
                       .from = LaneType::U8,
                       .to = LaneType::U8,
                       .a = offset(equal),
                       .b = offset(then),
                       .c = offset(otherwise)},
                      LaneType::U8);
  release(equal);
  return result;
}

BatchEvaluator::Compiler::SlotId BatchEvaluator::Compiler::emitRead(ExprPtr e) {
  llvm::SmallVector<ExprPtr, 8> stores; // the latest first
  ExprPtr array = e->op(0), index = e->op(1);
  for (; array->kind() == Kind::Store; array = array->op(0)) stores.push_back(array);
  const ArrayInfo &info = array->array();
  SlotId value;
  if (array->kind() == Kind::ConstArray) {
    if (stores.empty())
      while (index->kind() == Kind::ZExt) index = index->op(0);
    if (index->isConst()) {
      uint64_t at = index->value();
      value = hold(constant(at < info.contents.size() ? info.contents[at] : 0, LaneType::U8));
    } else {
      value = add({.kind = Kind::Read,
                   .from = laneTypeOf(index->width()),
                   .to = LaneType::U8,
                   .a = offset(operand(index)),
                   .table = &info},
                  LaneType::U8);
    }
  } else if (index->isConst() && index->value() < info.sizeBytes) {
    value = hold(byteSlot(array, index->value()));
  } else {
    value = hold(constant(0, LaneType::U8));
    for (const Byte &b : bytes)
      if (b.symbol == array && !index->isConst()) {
        SlotId chosen = emitChoice(index, nullptr, b.index, b.slot, value);
        release(value);
        value = chosen;
      }
  }
  for (size_t i = stores.size(); i-- > 0;) {
    SlotId chosen = emitChoice(index, stores[i]->op(1), 0, operand(stores[i]->op(2)), value);
    release(value);
    value = chosen;
  }
  return value;
}

/// A slot with the value of e, held once more for the caller.
BatchEvaluator::Compiler::SlotId BatchEvaluator::Compiler::emitOperation(ExprPtr e) {
  const LaneType to = laneTypeOf(e->width());
  const uint64_t mask = lowMask(e->width());
  switch (e->kind()) {
  case Kind::Read: return emitRead(e);
  case Kind::ZExt: return widened(e->op(0), to);
  case Kind::SExt: {
    SlotId a = operand(e->op(0));
    return add({.kind = Kind::SExt,
                .from = lanesOf(a),
                .to = to,
                .a = offset(a),
                .immediate = uint64_t(1) << (e->op(0)->width() - 1),
                .mask = mask},
               to);
  }
  case Kind::Extract: {
    SlotId a = operand(e->op(0));
    return add({.kind = Kind::Extract,
                .from = lanesOf(a),
                .to = to,
                .shift = static_cast<uint8_t>(e->offset()),
                .a = offset(a),
                .mask = mask},
               to);
  }
  case Kind::Concat: {
    SlotId high = widened(e->op(0), to), low = widened(e->op(1), to);
    SlotId result = add({.kind = Kind::Concat,
                         .from = to,
                         .to = to,
                         .shift = static_cast<uint8_t>(e->op(1)->width()),
                         .a = offset(high),
                         .b = offset(low)},
                        to);
    release(high);
    release(low);
    return result;
  }
  case Kind::Not:
    return add(
        {.kind = Kind::Not, .from = to, .to = to, .a = offset(operand(e->op(0))), .mask = mask},
        to);
  case Kind::Ite: {
    SlotId a = operand(e->op(0)), b = operand(e->op(1)), c = operand(e->op(2));
    return add(
        {.kind = Kind::Ite, .from = to, .to = to, .a = offset(a), .b = offset(b), .c = offset(c)},
        to);
  }
  default: return emitBinary(e);
  }
}

// --- both
// --------------------------------------------------------------------------------------------------------

bool BatchEvaluator::compile(std::span<const Input> inputs, std::span<const ExprPtr> roots,
                             size_t maxInstructions) {
  code_.clear();
  inputs_.clear();
  roots_.clear();
  cost_ = 0;
  Compiler c;
  c.maxInstructions = maxInstructions;
  c.code.swap(code_); // for its memory
  for (const Input &in : inputs) {
    assert((in.isByte() || in.term->width() <= 64) && "too wide for an input");
    Compiler::SlotId slot = c.newSlot(in.lanes());
    inputs_.push_back(c.slots[slot].place);
    if (in.isByte()) {
      c.bytes.push_back({in.term, in.index, slot});
    } else {
      c.places.set(in.term, c.nodes.size());
      c.nodes.push_back({in.term, slot, 0});
    }
  }
  const size_t firstNode = c.nodes.size();
  std::vector<size_t> nodesEnd;
  for (ExprPtr root : roots) {
    if (!c.schedule(root)) return false;
    nodesEnd.push_back(c.nodes.size());
  }
  for (ExprPtr root : roots)
    if (!root->isConst()) ++c.nodes[c.places.get(root)].uses;
  for (size_t i = 0; i < firstNode; ++i) c.slots[c.nodes[i].slot].uses += c.nodes[i].uses;
  size_t at = firstNode;
  for (size_t r = 0; r < roots.size(); ++r) {
    for (; at < nodesEnd[r]; ++at) {
      c.emit(c.nodes[at]);
      if (c.code.size() > maxInstructions) return false;
    }
    roots_.push_back({c.slots[c.operand(roots[r])].place, static_cast<uint32_t>(c.code.size()), 0});
  }
  code_.swap(c.code);
  for (size_t r = 0, i = 0; r < roots.size(); ++r) {
    for (; i < roots_[r].codeEnd; ++i) roots_[r].cost += laneCost(code_[i]);
    cost_ += roots_[r].cost;
  }
  bufferSize_ = c.bufferSize;
  if (c.bufferSize > capacity_) {
    capacity_ = c.bufferSize;
    buffer_.reset(static_cast<std::byte *>(std::aligned_alloc(64, capacity_)));
    if (!buffer_) std::abort(); // no budget left at all: nothing sensible can follow
    std::memset(buffer_.get(), 0, capacity_);
  }
  for (const Compiler::Constant &k : c.constants) {
    const Place place = c.slots[k.slot].place;
    switch (place.lanes) {
    case LaneType::U8: std::fill_n(this->at<uint8_t>(place), kLanes, uint8_t(k.value)); break;
    case LaneType::U32: std::fill_n(this->at<uint32_t>(place), kLanes, uint32_t(k.value)); break;
    case LaneType::U64: std::fill_n(this->at<uint64_t>(place), kLanes, k.value); break;
    }
  }
  return true;
}

} // namespace fathom::expr
