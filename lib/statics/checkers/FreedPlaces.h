// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pointer was read from that an event frees (Freed.cpp says what an event is).
#ifndef FATHOM_STATICS_CHECKERS_FREEDPLACES_H
#define FATHOM_STATICS_CHECKERS_FREEDPLACES_H

#include "statics/checkers/Overwrites.h"

#include <set>

namespace fathom::statics {

class FreedPlaces {
public:
  FreedPlaces(View &view, Overwrites &overwrites)
      : view_(view), facts_(view.facts), flow_(view.flow), overwrites_(overwrites) {}

  /// Of a pointer that the statement has as an operand.
  MemoryPlace placeOf(StatementId user, FlowNode pointer);
  /// The memory of that place, or that which is freed itself (FlowGraph::cellOf).
  std::set<uint32_t> cellsOf(StatementId event, FlowNode object);
  /// Was something else stored at the place on every way from where the pointer was read to the
  /// event? `n = head; head = n->next; free(n)` leaves nothing of n in head.
  bool wasReplaced(StatementId event, FlowNode object, const MemoryPlace &place);

private:
  /// kNone: the pointer was not read from memory.
  StatementId loadOf(StatementId user, FlowNode pointer);

  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  Overwrites &overwrites_;
};

} // namespace fathom::statics
#endif
