// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of an object at a symbolic offset, and how far such an offset ranges.
#ifndef FATHOM_EXPLORE_DECIDE_OBJECTACCESS_H
#define FATHOM_EXPLORE_DECIDE_OBJECTACCESS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
struct Engine;
class LogFollower;

class ObjectAccess : private EngineComponent {
public:
  explicit ObjectAccess(Engine &engine);

  ExprPtr readAt(State &s, const ObjectState &o, ExprPtr offset, unsigned size);
  void writeAt(State &s, const ObjectState &o, ExprPtr offset, ExprPtr value);
  /// A write in two parts: what is asked and forks, and what changes memory.
  struct PlannedWrite {
    uint64_t base = 0;
    ExprPtr offset = nullptr;
    std::vector<uint64_t> places; ///< of a symbolic offset
  };
  PlannedWrite planWrite(State &s, const ObjectState &object, ExprPtr offset, unsigned size);
  void carryOut(State &s, const PlannedWrite &write, ExprPtr value);

  struct OffsetRange {
    bool exact = false; ///< min and max are known
    uint64_t min = 0, max = 0;
  };
  /// What values the term has on this path; asks the solver.
  OffsetRange offsetRange(State &s, ExprPtr offset);

private:
  bool isConstantTable(State &s, const ObjectState &o, uint64_t first, uint64_t last,
                       unsigned size);
  bool hasFewValues(State &s, ExprPtr offset); ///< at most kFewValues; asks the solver
  /// The offsets to consider, first to last. Where they are too many for a table the offset becomes
  /// one value (then first == last): split over its values where they are few, otherwise pinned.
  void boundOffset(State &s, const ObjectState &o, ExprPtr &offset, unsigned size, uint64_t &first,
                   uint64_t &last);
  std::vector<uint64_t> writePlaces(State &s, ExprPtr offset, unsigned stride, uint64_t first,
                                    uint64_t last);

  LogFollower &follower_;
  FeasibilityChecks &feasibility_;
};

} // namespace fathom::explore
#endif
