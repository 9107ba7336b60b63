// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a path came to where it is: events that matter to a report, as lists that share their
// beginnings.
#ifndef FATHOM_STATICS_HEAP_TRACE_H
#define FATHOM_STATICS_HEAP_TRACE_H

#include "statics/front/Facts.h"

#include <vector>

namespace fathom::statics::heap {

using TraceId = uint32_t;
inline constexpr TraceId kNoTrace = ~TraceId(0);

/// What a step of a report says. Roles are data: no code reads their text.
enum class StepRole : uint8_t {
  Allocates,
  Opens,
  Frees,
  Closes,
  Null,      ///< the null pointer comes from here
  MaybeNull, ///< an allocation or a lookup, which may yield nothing
  IsNull,    ///< a branch or selection says so
  Compared,  ///< a branch or selection says so: `holds`
  Calls,     ///< the next steps are inside of the call
  Returns,   ///< from the call of the steps before
  Declares,  ///< the variable begins its life
  Unwritten, ///< from here on a variable has no value
  Sink
};

struct Step {
  StepRole role = StepRole::Sink;
  StatementId statement = kNone;
  bool holds = false; ///< Compared: which side was taken
  bool operator==(const Step &) const = default;
};

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
  const TraceNode &operator[](TraceId id) const { return nodes_[id]; }

private:
  std::vector<TraceNode> nodes_;
};

} // namespace fathom::statics::heap
#endif
