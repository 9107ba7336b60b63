// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose null pointer is it that the sink takes for memory? One that the path itself assigned, or
// got from a call, is a number there. One that callers gave, in an argument, a variable or memory,
// is unknown, and null by the path's decisions only; whether they ever give it shows no path from
// the middle of the program.
//
// Guarantee: neither. A path that comes to the sink several times may meet both.
#ifndef FATHOM_CONFIRM_NULLORIGIN_H
#define FATHOM_CONFIRM_NULLORIGIN_H

#include "confirm/CallGraph.h"
#include "explore/policy/Policy.h"
#include "explore/Results.h"

#include <vector>

namespace fathom::confirm {

/// Notes (Notes.h) that an address at the sink, or an argument of a call there, is null, or an
/// index added to null, and computed from no unknown pointer.
class NullAtSinkNotes final : public explore::Policy {
public:
  /// \param sink  its instructions
  explicit NullAtSinkNotes(std::vector<CallGraph::CallAt> sink) : sink_(std::move(sink)) {}
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  std::vector<CallGraph::CallAt> sink_;
};

/// Is the bug a null pointer of callers? Of an exploration with the policy.
bool isNullOfCallers(const explore::Bug &bug);

} // namespace fathom::confirm
#endif
