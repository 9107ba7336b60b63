// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a path came to where it is: events that matter to a report, as lists that share their
// beginnings.
#ifndef FATHOM_STATICS_HEAP_TRACE_H
#define FATHOM_STATICS_HEAP_TRACE_H

#include "evidence/StepRole.h"
#include "statics/front/Facts.h"

#include <vector>

namespace fathom::statics::heap {

using TraceId = uint32_t;
inline constexpr TraceId kNoTrace = ~TraceId(0);

using evidence::StepRole;

/// What a step of a report says.
struct Step {
  StepRole role = StepRole::Defect;
  StatementId statement = kNone;
  bool operator==(const Step &) const = default;
};

/// Does it say which side of a branch or selection the path takes?
inline bool isBranch(const Step &step) { return evidence::isSide(step.role); }

struct TraceNode {
  TraceId previous = kNoTrace;
  Step step;
  /// Calls: what the callee did, as a node of its own trace; kNone: its code is not looked at.
  FunctionId callee = kNone;
  TraceId inside = kNoTrace;
};

class Trace {
public:
  TraceId add(TraceId previous, const Step &step, FunctionId callee = kNone,
              TraceId inside = kNoTrace) {
    nodes_.push_back({previous, step, callee, inside});
    return static_cast<TraceId>(nodes_.size() - 1);
  }
  /// The number of the next node: what is added from now on has no smaller one.
  TraceId next() const { return static_cast<TraceId>(nodes_.size()); }
  const TraceNode &operator[](TraceId id) const { return nodes_[id]; }

private:
  std::vector<TraceNode> nodes_;
};

} // namespace fathom::statics::heap
#endif
