// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Shows.h"

#include "confirm/LeakSearch.h"
#include "confirm/Notes.h"
#include "confirm/Sources.h"
#include "evidence/BugKind.h"

#include <algorithm>

namespace fathom::confirm {

using evidence::BugKind;
using explore::Bug;

using Stack = std::vector<evidence::StackFrame>;

static bool isIn(const Stack &stack, const Place &place) {
  return std::ranges::any_of(stack, [&](const evidence::StackFrame &frame) {
    return frame.own && place.isAt(frame.file, frame.line);
  });
}

/// The same of the innermost own call, or of a thin wrapper's caller.
static bool isInnermostIn(const Stack &stack, const Place &place) {
  for (const evidence::StackFrame &frame : stack) {
    if (!frame.own) continue;
    if (place.isAt(frame.file, frame.line)) return true;
    if (frame.line && !frame.isThinWrapper) return false;
  }
  return false;
}

/// Does it happen at the sink? Analysers may name the call where the engine is in the callee. If
/// the report names the access itself, what goes wrong in a function that the line calls is another
/// defect. But a value that was never written is one where it is passed, and used in the callee.
static bool isAtSink(const Bug &bug, const Defect &defect) {
  const bool isExact =
      defect.namesAccess() && bug.kind != BugKind::Leak && bug.kind != BugKind::UninitializedRead;
  return isExact ? isInnermostIn(bug.stack, defect.sink) : isIn(bug.stack, defect.sink);
}

bool mayShow(const Bug &bug, const Defect &defect) {
  return bug.kind == BugKind::Leak || isIn(bug.stack, defect.sink);
}

bool isInCallee(const Bug &bug, const Defect &defect) {
  return defect.means(bug.kind) && bug.kind != BugKind::Leak && isIn(bug.stack, defect.sink) &&
         !isAtSink(bug, defect);
}

bool happensAt(BugKind kind, const Stack &stack, const Defect &defect) {
  return defect.means(kind) && isInnermostIn(stack, defect.sink);
}

bool shows(const Bug &bug, const Defect &defect) {
  if (!defect.means(bug.kind)) return false;
  const auto hasFrameAt = [&](const Place &place) { return isIn(bug.stack, place); };
  if (isAtSink(bug, defect)) return true;
  // A first step that does not say what it is may be anything on the way to the allocation.
  const bool isToldWhere = !defect.steps.empty() && isAllocation(defect.steps[0]);
  if (bug.kind != BugKind::Leak || !hasNote(bug.test, kSinkNote)) return false;
  if (!isToldWhere) return std::ranges::any_of(defect.steps, hasFrameAt);
  // Of a wrapper of malloc, the calls that return the memory tell which block it is.
  const auto calls =
      std::find_if_not(defect.steps.begin() + 1, defect.steps.end(),
                       [](const Place &step) { return step.role == evidence::StepRole::Returns; });
  return std::all_of(defect.steps.begin(), calls, hasFrameAt);
}

} // namespace fathom::confirm
