// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/LeakSearch.h"

#include "confirm/Notes.h"
#include "evidence/BugKind.h"

#include <algorithm>

namespace fathom::confirm {

using namespace explore;

/// A path returned from where it began.
static constexpr std::string_view kReturnNote = "note.return";

bool isLeak(const Defect &defect) { return defect.means(evidence::BugKind::Leak); }

static std::vector<CallGraph::CallAt> returnsOf(const program::FunctionCode &f) {
  std::vector<CallGraph::CallAt> out;
  for (uint32_t i = 0; i < f.code.size(); ++i)
    if (f.code[i].op == program::Op::Ret || f.code[i].op == program::Op::RetVoid)
      out.push_back({f.id, i});
  return out;
}

void addLeakNotes(const CallGraph &calls, const Defect &defect, const program::FunctionCode &entry,
                  ExploreOptions &options) {
  options.policies.push_back([sink = calls.instructionsAt(defect.sink)] {
    return std::make_unique<PassageNotes>(sink, kSinkNote);
  });
  options.policies.push_back([returns = returnsOf(entry)] {
    return std::make_unique<PassageNotes>(returns, kReturnNote);
  });
}

UnseenLeaks::UnseenLeaks(const program::Program &program, const CallGraph &calls,
                         const Defect &defect)
    : isLeak_(isLeak(defect)) {
  if (!isLeak_) return;
  // The model ends the program, and there leaks are looked for.
  if (!hasModel(program))
    why_ = "leaks are not looked for without the environment model (runtime.bc)";
  const auto add = [&](const Place &place) {
    for (const uint32_t f : calls.functionsAt(place)) near_.insert(program.functions[f].name);
  };
  add(defect.sink);
  for (const Place &step : defect.steps) add(step);
}

void UnseenLeaks::ended(const TestCase &test) {
  // Where functions are still active, no leak is looked for (explore/decide/LeakCheck.h).
  if (isLeak_ && test.end == EndKind::Exit && hasNote(test, kSinkNote) &&
      !hasNote(test, kReturnNote))
    why_ = "a path past the sink calls exit before its functions return, and leaks are not looked "
           "for there";
}

void UnseenLeaks::leaked(const Bug &bug) {
  if (!isLeak_ || bug.kind != evidence::BugKind::Leak || !hasNote(bug.test, kSinkNote)) return;
  // What realloc made of the block, for example.
  if (std::ranges::any_of(bug.stack, [&](const evidence::StackFrame &frame) {
        return frame.own && near_.contains(frame.function);
      }))
    why_ = "a path past the sink loses a block that was allocated at another place";
}

} // namespace fathom::confirm
