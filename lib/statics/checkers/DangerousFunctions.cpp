// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of library functions that no caller can use safely: what goes wrong is decided outside of
// the program, by its input or by other processes. So the call itself is the defect, and nothing
// is followed. Which these are, the rows of LibraryFunctions.h say.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"

#include <fmt/format.h>

namespace fathom::statics {

void checkDangerousFunctions(CheckContext &context) {
  View &view = context.view;
  const Facts &facts = view.facts;
  for (uint32_t c = 0; c < facts.calls.size(); c++) {
    const StatementId at = facts.calls[c].statement;
    const FunctionId caller = view.functionOf(at);
    if (!view.isOwn(caller) || !view.pts.isReached(caller)) continue;
    if (context.time.isOver()) break;
    const std::vector<FunctionId> &callees = view.pts.callees(c);
    for (const FunctionId callee : callees) {
      const LibraryFunction *known = facts.functions[callee].known;
      if (!known || !known->danger) continue;
      Report out;
      out.kind = evidence::BugKind::DangerousFunction;
      // That a pointer can be that of this function is not certain if it can be that of others.
      if (callees.size() == 1) out.certainty = Certainty::May;
      out.doubts = callees.size() > 1;
      out.message = fmt::format("{} cannot be used safely: {}; use {}", known->name,
                                known->danger->why, known->danger->instead);
      out.steps.push_back(
          view.step(at, StepRole::Defect, fmt::format("{} is called", known->name)));
      context.reports.add(std::move(out));
      break;
    }
  }
}

} // namespace fathom::statics
