// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/Policies.h"

#include "explore/decide/Engine.h"

namespace fathom::explore {

Policies::Policies(Engine &engine) : EngineComponent(engine.services), engine_(engine) {
  // With --entry, other code stands in for main's (ExecutableCode.h): it has none of its places.
  const program::FunctionCode *main = program_.find("main");
  const bool isReplaced = main && ExecutableCode::replacesMain(options_);
  for (const PolicyMaker &make : options_.policies) {
    policies_.push_back(make());
    for (const PointSite &site : policies_.back()->points(program_))
      if (!isReplaced || site.function != main->id)
        interpreter_.code.addPoint(site.function, site.inst,
                                   static_cast<uint32_t>(policies_.size() - 1));
    if (policies_.back()->keepsDecisions()) engine.decisions.watch(*policies_.back());
    if (policies_.back()->watchesEnds()) engine.ends.watch(*policies_.back());
  }
}

bool Policies::ask(State &s) {
  const Inst *at = s.ip;
  for (uint32_t asker : interpreter_.code.points.at(at).askers)
    switch (policies_[asker]->at(engine_, s)) {
    case Policy::Answer::GoOn: break;
    case Policy::Answer::Moved:
    case Policy::Answer::Again: return true;
    case Policy::Answer::Ended: return false;
    }
  s.passed = at;
  return true;
}

void Policies::keepPassed(State &s, const Inst *point) const {
  if (s.ip == point && !s.pending) s.passed = point;
}

} // namespace fathom::explore
