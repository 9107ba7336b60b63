// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which questions are worth asking beside the path of an offered input (work/InputSource.h). A
// campaign offers thousands of inputs, and most of their paths are the same: what one of them left
// for a query need not be left by all.
//
// Left out are sides of the program's own branches that any path or the campaign has covered. A
// side that nobody covered is left for a query on some paths, because it may be infeasible on one
// and feasible on another: on the first few, then on the 8th, 16th, 32nd ... The same holds for
// other code, which has no coverage: there a place is one together with the program's own
// instruction that called it.
#ifndef FATHOM_EXPLORE_DECIDE_INPUTSIDES_H
#define FATHOM_EXPLORE_DECIDE_INPUTSIDES_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <unordered_map>

namespace fathom::explore {

struct Engine;

class InputSides : private EngineComponent {
public:
  explicit InputSides(Engine &engine);

  /// Is no question asked about this side of the branch at hand? Then the path's log says so, as it
  /// says answers.
  bool leavesOut(State &s, uint32_t branchId, uint32_t side, bool isOwn);
  /// The same for a question that is not a branch's: another value, a check that may fail.
  bool leavesOutOther(State &s);

private:
  bool isOffered(const State &s) const;
  bool isOften(const State &s, uint32_t side, unsigned most, bool isOwn);
  const program::Inst *ownCaller(const State &s) const;

  std::unordered_map<uint64_t, unsigned> asked_; ///< by place
};

} // namespace fathom::explore
#endif
