// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls at the defect's sink. While one of them runs, the defect may show in whatever it calls: an
// analyser names the call where the engine is in the callee. So nothing is left out then, and the
// same functions can be left out elsewhere.
#ifndef FATHOM_CONFIRM_SINKCALLS_H
#define FATHOM_CONFIRM_SINKCALLS_H

#include "confirm/CallGraph.h"
#include "explore/decide/Engine.h"

#include <vector>

namespace fathom::confirm {

class SinkCalls {
public:
  SinkCalls(const CallGraph &graph, const Place &sink)
      : calls_(graph.callsAt(sink)), reached_(graph.calledBy(calls_)) {}

  /// Linear in the depth of the path's stack.
  bool isActive(const explore::Engine &engine, const explore::State &s) const;
  /// By function: may a call at the sink lead to it?
  const std::vector<bool> &reached() const { return reached_; }

private:
  std::vector<CallGraph::CallAt> calls_; ///< ascending
  std::vector<bool> reached_;
};

} // namespace fathom::confirm
#endif
