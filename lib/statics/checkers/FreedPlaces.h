// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pointer was read from that an event frees (Freed.cpp says what an event is), and where
// it still is when it is freed.
//
// `n = head; head = n->next; free(n)` leaves nothing of n in head. But the pointer may have been
// put back (`head = n`), or into another place of the same memory (`other->head = n`): an element
// of the same array, a member of another object that the same call of malloc made. So the pointer
// is followed from where it was read, on ways to the event, to the statements that *put* it there.
#ifndef FATHOM_STATICS_CHECKERS_FREEDPLACES_H
#define FATHOM_STATICS_CHECKERS_FREEDPLACES_H

#include "statics/checkers/FlowSearch.h"
#include "statics/checkers/Overwrites.h"

namespace fathom::statics {

/// Where the freed pointer is at the event.
struct FreedHold {
  /// The one place; not known: there may be several.
  MemoryPlace place{};
  /// It is not where it was read from, unless it was put back.
  bool wasReplaced = false;
  /// Memory that holds it because it was put there (FlowNode), of the cells that it was read from.
  std::set<FlowNode> put{};
};

class FreedPlaces {
public:
  FreedPlaces(View &view, Overwrites &overwrites)
      : view_(view), facts_(view.facts), flow_(view.flow), overwrites_(overwrites) {}

  /// The place of a pointer that the statement has as an operand.
  MemoryPlace placeOf(StatementId user, FlowNode pointer);
  /// The memory of that place, or that which is freed itself (FlowGraph::cellOf).
  std::set<uint32_t> cellsOf(StatementId event, FlowNode object);
  /// \param place  that the pointer was read from.
  FreedHold holdAt(StatementId event, FlowNode object, const MemoryPlace &place);

private:
  /// What leaves the pointer in memory, and the version that then has it.
  struct Put {
    StatementId statement;
    FlowNode version;
    MemoryPlace place; ///< not known: a call does it
  };
  /// kNone: the pointer was not read from memory.
  StatementId loadOf(StatementId user, FlowNode pointer);
  /// Was something else stored at the place on every way from the load to the event?
  bool wasReplaced(StatementId event, StatementId load, ValueId freed, const MemoryPlace &place);
  /// Those whose pointer is still there at the event.
  std::vector<Put> putsBetween(StatementId load, StatementId event, FlowNode object);
  std::optional<Put> putBy(const FlowSearch &search, const FlowSearch::State &state,
                           const std::set<uint32_t> &cells) const;
  bool isOverwritten(const Put &put, StatementId by) {
    return put.place.isKnown() && by != put.statement && overwrites_.at(by, put.place);
  }
  /// All versions of the put's memory that still have the pointer.
  void addVersions(const Put &put, std::set<FlowNode> &out);

  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  Overwrites &overwrites_;
};

} // namespace fathom::statics
#endif
