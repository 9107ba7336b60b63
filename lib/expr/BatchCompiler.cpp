// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms to lane instructions (BatchCompiler.h). In this order: slots, the first pass (schedule),
// the second pass (emit), reads of arrays.
#include "expr/BatchCompiler.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <algorithm>

namespace fathom::expr {

using SlotId = BatchCompiler::SlotId;

static constexpr uint32_t kForever = 1u << 31;

bool collectBatchOperands(ExprPtr e, llvm::SmallVectorImpl<ExprPtr> &out) {
  if (e->kind() == Kind::Forall || e->kind() == Kind::Bound) return false;
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
  if (e->has(kHasApply) && e->kind() == Kind::Read && e->op(0)->array().operation) return false;
  return std::all_of(out.begin(), out.end(),
                     [](ExprPtr op) { return op->width() >= 1 && op->width() <= kMaxLaneWidth; });
}

// --- slots
// ----------------------------------------------------------------------------------------------------------

SlotId BatchCompiler::newSlot(LaneType lanes, bool own) {
  auto &reusable = unused_[static_cast<unsigned>(lanes)];
  BatchEvaluator::Place place{static_cast<uint32_t>(bufferSize), lanes};
  if (own || reusable.empty()) {
    bufferSize += size_t(kBatchLanes) * laneBytes(lanes);
  } else {
    place = reusable.back();
    reusable.pop_back();
  }
  slots.push_back({place, 1});
  return static_cast<SlotId>(slots.size() - 1);
}

void BatchCompiler::release(SlotId id) {
  assert(slots[id].uses && "released more often than used");
  if (--slots[id].uses == 0) unused_[static_cast<unsigned>(lanesOf(id))].push_back(slots[id].place);
}

SlotId BatchCompiler::constant(uint64_t low, LaneType lanes, uint64_t high) {
  auto [it, isNew] = constants.try_emplace({lanes, low, high}, kNone);
  if (isNew) it->second = newSlot(lanes, /*own=*/true);
  return it->second;
}

static uint64_t highWord(ExprPtr e) { return e->width() > 64 ? e->word(1) : 0; }

SlotId BatchCompiler::constantOf(ExprPtr e, LaneType lanes) {
  return constant(e->word(0), lanes, highWord(e));
}

SlotId BatchCompiler::valueOf(ExprPtr e) {
  return e->isConst() ? constantOf(e, laneTypeOf(e->width())) : nodeOf(e).value;
}

SlotId BatchCompiler::byteSlot(ExprPtr symbol, uint64_t index) const {
  for (const Byte &b : bytes_)
    if (b.symbol == symbol && b.index == index) return b.slot;
  return kNone;
}

void BatchCompiler::addInput(const BatchEvaluator::Input &in) {
  assert((in.isByte() || in.term->width() <= kMaxLaneWidth) && "too wide for an input");
  InputSlots made{newSlot(in.lanes()), in.mayBeUnknown ? newSlot(LaneType::U8) : kNone};
  inputs.push_back(made);
  if (in.isByte()) {
    bytes_.push_back({in.term, in.index, made.value});
    return;
  }
  slots[made.value].uses = kForever;
  if (in.mayBeUnknown) slots[made.unknown].uses = kForever;
  places.set(in.term, nodes.size());
  nodes.push_back({.term = in.term, .value = made.value, .unknown = made.unknown});
}

// --- first pass
// --------------------------------------------------------------------------------------------------

/// A byte that a read at a constant index may reach is given, or need not be.
bool BatchCompiler::isReadable(ExprPtr read) const {
  if (trackUnknown) return true;
  ExprPtr index = read->op(1), array = read->op(0);
  while (array->kind() == Kind::Store) array = array->op(0);
  if (array->kind() == Kind::ConstArray || !index->isConst()) return true;
  return index->value() >= array->array().sizeBytes || byteSlot(array, index->value()) != kNone;
}

bool BatchCompiler::schedule(ExprPtr root) {
  if (root->width() > kMaxLaneWidth) return false;
  struct Frame {
    ExprPtr term;
    uint32_t next, end; // its operands in `operands`
  };
  std::vector<Frame> stack;
  llvm::SmallVector<ExprPtr, 64> operands;
  llvm::SmallVector<ExprPtr, 8> own;
  auto push = [&](ExprPtr e) {
    own.clear();
    if (!collectBatchOperands(e, own) || (e->kind() == Kind::Read && !isReadable(e))) return false;
    places.set(e, kNone); // being compiled; no term is below itself, so this is not read
    const auto begin = static_cast<uint32_t>(operands.size());
    operands.append(own.begin(), own.end());
    stack.push_back({e, begin, static_cast<uint32_t>(operands.size())});
    return operands.size() <= maxInstructions && nodes.size() <= maxInstructions;
  };
  if (!root->isConst() && !places.has(root) && !push(root)) return false;
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next < top.end) {
      ExprPtr op = operands[top.next++];
      if (!op->isConst() && !places.has(op) && !push(op)) return false;
      continue;
    }
    own.clear();
    collectBatchOperands(top.term, own);
    for (ExprPtr op : own)
      if (!op->isConst()) ++nodes[places.get(op)].uses;
    operands.truncate(top.end - own.size());
    places.set(top.term, nodes.size());
    nodes.push_back({.term = top.term});
    stack.pop_back();
  }
  if (!root->isConst()) ++nodes[places.get(root)].uses;
  return true;
}

// --- second pass
// -------------------------------------------------------------------------------------------------

SlotId BatchCompiler::add(LaneInstruction i, LaneType out) {
  SlotId slot = newSlot(out);
  i.out = offset(slot);
  code.push_back(i);
  return slot;
}

bool BatchCompiler::emit(size_t from, size_t to) {
  llvm::SmallVector<ExprPtr, 8> operands;
  for (size_t n = from; n < to; ++n) {
    ExprPtr e = nodes[n].term;
    Lanes made{kNone, kNone};
    if (e->kind() == Kind::Read) {
      made = emitRead(e);
    } else {
      made.value = emitValue(e);
      if (trackUnknown) made.unknown = emitUnknown(e);
    }
    nodes[n].value = made.value;
    nodes[n].unknown = made.unknown;
    for (SlotId slot : {made.value, made.unknown})
      if (slot != kNone) slots[slot].uses += nodes[n].uses;
    operands.clear();
    collectBatchOperands(e, operands);
    for (ExprPtr op : operands) {
      if (op->isConst()) continue;
      const Node &node = nodeOf(op);
      release(node.value);
      releaseIfAny(node.unknown);
    }
    release(made.value);
    releaseIfAny(made.unknown);
    if (code.size() > maxInstructions) return false;
  }
  return true;
}

SlotId BatchCompiler::addIte(SlotId condition, SlotId then, SlotId otherwise) {
  const LaneType lanes = lanesOf(then);
  return add({.kind = Kind::Ite,
              .from = lanes,
              .to = lanes,
              .a = offset(condition),
              .b = offset(then),
              .c = offset(otherwise)},
             lanes);
}

/// The value of e in lanes that are not narrower than its own.
SlotId BatchCompiler::widened(ExprPtr e, LaneType to) {
  if (e->isConst()) return hold(constantOf(e, to));
  SlotId from = valueOf(e);
  if (lanesOf(from) == to) return hold(from);
  return add({.kind = Kind::ZExt, .from = lanesOf(from), .to = to, .a = offset(from)}, to);
}

SlotId BatchCompiler::emitBinary(ExprPtr e) {
  ExprPtr a = e->op(0), b = e->op(1);
  if (a->isConst() && isCommutative(e->kind())) std::swap(a, b);
  const LaneType lanes = laneTypeOf(a->width());
  LaneInstruction i{.kind = e->kind(),
                    .from = lanes,
                    .to = lanes,
                    .width = static_cast<uint8_t>(a->width()),
                    .outWidth = static_cast<uint8_t>(e->width()),
                    .a = offset(valueOf(a))};
  if (b->isConst() && highWord(b) == 0) {
    i.hasImmediate = true;
    i.immediate = b->word(0);
  } else {
    i.b = offset(valueOf(b));
  }
  return add(i, laneTypeOf(e->width()));
}

SlotId BatchCompiler::emitFloat(ExprPtr e) {
  LaneInstruction i{.kind = e->kind(),
                    .from = laneTypeOf(e->op(0)->width()),
                    .to = laneTypeOf(e->width()),
                    .width = static_cast<uint8_t>(e->op(0)->width()),
                    .outWidth = static_cast<uint8_t>(e->width()),
                    .shift = e->kind() == Kind::FRound ? static_cast<uint8_t>(e->rounding())
                                                       : static_cast<uint8_t>(0),
                    .a = offset(valueOf(e->op(0)))};
  i.b = e->numOps() > 1 ? offset(valueOf(e->op(1))) : i.a;
  i.c = e->numOps() > 2 ? offset(valueOf(e->op(2))) : i.a;
  return add(i, i.to);
}

/// Any kind but Read.
SlotId BatchCompiler::emitValue(ExprPtr e) {
  const LaneType to = laneTypeOf(e->width());
  const auto width = static_cast<uint8_t>(e->width());
  switch (e->kind()) {
  case Kind::ZExt: return widened(e->op(0), to);
  case Kind::SExt:
  case Kind::Extract: {
    SlotId a = valueOf(e->op(0));
    return add({.kind = e->kind(),
                .from = lanesOf(a),
                .to = to,
                .width = static_cast<uint8_t>(e->op(0)->width()),
                .outWidth = width,
                .shift = static_cast<uint8_t>(e->kind() == Kind::Extract ? e->offset() : 0),
                .a = offset(a)},
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
  case Kind::Not: {
    SlotId a = valueOf(e->op(0));
    return add({.kind = Kind::Not, .from = to, .to = to, .outWidth = width, .a = offset(a)}, to);
  }
  case Kind::Ite: return addIte(valueOf(e->op(0)), valueOf(e->op(1)), valueOf(e->op(2)));
  default: return isFloatKind(e->kind()) ? emitFloat(e) : emitBinary(e);
  }
}

// --- reads
// ----------------------------------------------------------------------------------------------------------

/// A predicate of a 64-bit index and a constant.
SlotId BatchCompiler::addIndexPredicate(Kind kind, ExprPtr index, uint64_t k) {
  return add({.kind = kind,
              .from = LaneType::U64,
              .to = LaneType::U64,
              .hasImmediate = true,
              .width = 64,
              .outWidth = 1,
              .a = offset(valueOf(index)),
              .immediate = k},
             LaneType::U8);
}

SlotId BatchCompiler::emitIndexEqual(ExprPtr index, ExprPtr other) {
  if (index->isConst()) std::swap(index, other);
  if (index->isConst()) return hold(constant(index == other, LaneType::U8));
  if (other->isConst()) return addIndexPredicate(Kind::Eq, index, other->value());
  return add({.kind = Kind::Eq,
              .from = LaneType::U64,
              .to = LaneType::U64,
              .width = 64,
              .outWidth = 1,
              .a = offset(valueOf(index)),
              .b = offset(valueOf(other))},
             LaneType::U8);
}

/// From the bottom of the array upwards: the bytes of a table or those that are given, then one
/// store after the other.
BatchCompiler::Lanes BatchCompiler::emitRead(ExprPtr e) {
  llvm::SmallVector<ExprPtr, 8> stores; // the latest first
  ExprPtr array = e->op(0), index = e->op(1);
  for (; array->kind() == Kind::Store; array = array->op(0)) stores.push_back(array);
  const ArrayInfo &info = array->array();
  Lanes read{kNone, kNone};
  auto overwrite = [&](SlotId condition, SlotId then, SlotId thenUnknown) {
    Lanes chosen{addIte(condition, then, read.value),
                 chosenUnknown(condition, thenUnknown, read.unknown)};
    release(condition);
    release(read.value);
    releaseIfAny(read.unknown);
    read = chosen;
  };
  auto addUnknown = [&](SlotId more) {
    SlotId either = eitherUnknown(read.unknown, more);
    releaseIfAny(read.unknown);
    read.unknown = either;
  };
  if (array->kind() == Kind::ConstArray) {
    if (stores.empty())
      while (index->kind() == Kind::ZExt) index = index->op(0);
    if (index->isConst()) {
      const uint64_t at = index->value();
      read.value = hold(constant(at < info.contents.size() ? info.contents[at] : 0, LaneType::U8));
    } else {
      read.value = add({.kind = Kind::Read,
                        .from = laneTypeOf(index->width()),
                        .to = LaneType::U8,
                        .a = offset(valueOf(index)),
                        .table = &info},
                       LaneType::U8);
    }
  } else if (index->isConst()) {
    SlotId given = byteSlot(array, index->value());
    read.value = hold(given == kNone ? zero() : given);
    if (given == kNone && trackUnknown && index->value() < info.sizeBytes)
      read.unknown = hold(constant(1, LaneType::U8));
  } else {
    read.value = hold(zero());
    if (trackUnknown) read.unknown = addIndexPredicate(Kind::Ult, index, info.sizeBytes);
    for (const Byte &b : bytes_)
      if (b.symbol == array) overwrite(addIndexPredicate(Kind::Eq, index, b.index), b.slot, kNone);
  }
  for (size_t i = stores.size(); i-- > 0;) {
    ExprPtr at = stores[i]->op(1), byte = stores[i]->op(2);
    overwrite(emitIndexEqual(index, at), valueOf(byte), unknownOf(byte));
    addUnknown(unknownOf(at));
  }
  addUnknown(unknownOf(index));
  return read;
}

} // namespace fathom::expr
