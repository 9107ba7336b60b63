// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/UnknownArguments.h"

#include "explore/decide/Engine.h"

namespace fathom::explore {

std::vector<PointSite> UnknownArguments::points(const program::Program &program) const {
  const program::FunctionCode *main = program.find("main");
  if (!main || main->code.empty()) return {};
  return {{main->id, 0}};
}

Policy::Answer UnknownArguments::at(Engine &engine, State &s) {
  const program::Program &program = engine.services.program;
  const Frame *caller = s.top->parent;
  const bool isStart = caller && !program.functions[caller->function].own; // or main calls itself
  if (isStart) engine.start.forgetArguments(s, program.functions[s.top->function]);
  return Answer::GoOn;
}

} // namespace fathom::explore
