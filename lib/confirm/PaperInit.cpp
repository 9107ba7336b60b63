// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PaperInit.h"

#include "confirm/PointerLoads.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Engine.h"

namespace fathom::confirm {

using evidence::LedgerCategory;

using namespace explore;

std::vector<PointSite> PaperInit::points(const program::Program &program) const {
  std::vector<PointSite> out = behindPointerLoads(program);
  out.push_back({entry_, 0});
  return out;
}

static void assumeValid(Engine &engine, State &s, uint32_t slot) {
  if (!s.top->syms || !s.top->syms[slot]) return;
  ExprPtr pointer = s.top->syms[slot];
  if (pointer->width() != 64 || engine.assumed.pointerIn(pointer) != pointer) return;
  expr::ExprContext &context = engine.services.context;
  ExprPtr isValid = context.bvNot(context.eq(pointer, context.constant(0, 64)));
  std::shared_ptr<const expr::Model> model;
  if (engine.feasibility.feasible(s, isValid, model) != Feasible::Yes) return;
  engine.feasibility.assume(s, isValid, model);
  engine.services.ledger.add(LedgerCategory::AssumedMemory, engine.places.where(s),
                             "a pointer of a caller is assumed not to be null (--paper-init)");
}

Policy::Answer PaperInit::at(Engine &engine, State &s) {
  const program::FunctionCode &f = engine.services.program.functions[s.top->function];
  const auto inst = static_cast<uint32_t>(s.ip - engine.machine.code.codeOf(f.id));
  if (inst == 0 && f.id == entry_)
    for (const program::Param &p : f.params)
      if (p.pointer) assumeValid(engine, s, p.slot);
  if (inst > 0 && loadsPointer(f.code[inst - 1])) assumeValid(engine, s, f.code[inst - 1].dst);
  return Answer::GoOn;
}

} // namespace fathom::confirm
