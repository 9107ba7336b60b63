// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the BatchEvaluator: from terms to instructions, in two passes. schedule() lists the
// terms below the roots, operands first, and counts how often each is used; emit() makes
// instructions in that order, and gives a slot back when the last instruction that reads it has
// been made, so that few slots are in use at a time and the lanes stay in the processor's caches.
//
// Bytes that are not given: a term that depends on one has a second slot, its *unknown* lanes,
// which are 1 where its value cannot be told. They follow the value through choices (an Ite, an
// And, the stores of an array), so that a byte counts only where it is needed (BatchUnknown.cpp).
#ifndef FATHOM_EXPR_BATCHCOMPILER_H
#define FATHOM_EXPR_BATCHCOMPILER_H

#include "expr/BatchEvaluator.h"
#include "expr/TermVisitor.h"

#include <llvm/ADT/SmallVector.h>

#include <map>
#include <tuple>

namespace fathom::expr {

class BatchCompiler {
public:
  using SlotId = uint32_t;
  static constexpr SlotId kNone = ~0u;

  struct Slot {
    BatchEvaluator::Place place;
    uint32_t uses; // see hold()
  };
  /// A term in its place in the sequence.
  struct Node {
    ExprPtr term;
    SlotId value = kNone;   // until emitted
    SlotId unknown = kNone; // stays so when the value is known in all lanes
    uint32_t uses = 0;      // by nodes and as a root
  };
  struct Byte {
    ExprPtr symbol;
    uint64_t index;
    SlotId slot;
  };
  using ConstantKey = std::tuple<LaneType, uint64_t, uint64_t>; // lanes, low and high word

  BatchCompiler(bool trackUnknown, size_t maxInstructions)
      : trackUnknown(trackUnknown), maxInstructions(maxInstructions) {}

  /// Before anything else, in the order of the inputs.
  void addInput(const BatchEvaluator::Input &in);
  /// Appends the nodes that root needs beyond those there are. False: not supported.
  bool schedule(ExprPtr root);
  /// Makes instructions for the nodes [from, to).
  bool emit(size_t from, size_t to);
  const Node &nodeOf(ExprPtr e) const { return nodes[places.get(e)]; }
  SlotId valueOf(ExprPtr e);
  SlotId unknownOf(ExprPtr e) const { return e->isConst() ? kNone : nodeOf(e).unknown; }

  const bool trackUnknown;
  const size_t maxInstructions;
  std::vector<Node> nodes;
  std::vector<Slot> slots;
  std::map<ConstantKey, SlotId> constants;
  std::vector<LaneInstruction> code;
  size_t bufferSize = 0;
  TermNotes places; // of terms in nodes
  struct InputSlots {
    SlotId value, unknown;
  };
  std::vector<InputSlots> inputs;

private:
  // --- slots
  /// A slot is counted once for each node that is still to read it, for each root, and while the
  /// compiler holds it; inputs and constants are held for good. New slots are held. `own`: in a
  /// place that no instruction before writes to, for what is filled only once.
  SlotId newSlot(LaneType lanes, bool own = false);
  SlotId hold(SlotId id) {
    ++slots[id].uses;
    return id;
  }
  void release(SlotId id);
  void releaseIfAny(SlotId id) {
    if (id != kNone) release(id);
  }
  LaneType lanesOf(SlotId id) const { return slots[id].place.lanes; }
  uint32_t offset(SlotId id) const { return slots[id].place.offset; }
  SlotId constant(uint64_t low, LaneType lanes, uint64_t high = 0);
  SlotId constantOf(ExprPtr e, LaneType lanes);
  SlotId zero() { return constant(0, LaneType::U8); }
  SlotId byteSlot(ExprPtr symbol, uint64_t index) const; // kNone: not given

  // --- instructions; the results are new slots, or others that are held once more
  struct Lanes {
    SlotId value, unknown;
  };
  SlotId add(LaneInstruction i, LaneType out);
  SlotId addIte(SlotId condition, SlotId then, SlotId otherwise);
  SlotId addBits(Kind kind, SlotId a, SlotId b); // And, Or of U8 lanes
  SlotId addIndexPredicate(Kind kind, ExprPtr index, uint64_t k);
  SlotId emitValue(ExprPtr e);
  SlotId emitBinary(ExprPtr e);
  SlotId emitFloat(ExprPtr e);
  SlotId emitIndexEqual(ExprPtr index, ExprPtr other);
  SlotId widened(ExprPtr e, LaneType to);
  Lanes emitRead(ExprPtr e);
  SlotId emitUnknown(ExprPtr e);
  // ... for unknown lanes; kNone is "known everywhere"
  SlotId eitherUnknown(SlotId a, SlotId b);
  SlotId chosenUnknown(SlotId condition, SlotId then, SlotId otherwise);

  bool isReadable(ExprPtr read) const;

  std::vector<Byte> bytes_;
  std::vector<BatchEvaluator::Place> unused_[kLaneTypes];
};

/// The terms whose values the instructions for `e` read; constants too. False: not supported.
bool collectBatchOperands(ExprPtr e, llvm::SmallVectorImpl<ExprPtr> &out);

} // namespace fathom::expr
#endif
