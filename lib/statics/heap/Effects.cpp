// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/Effects.h"

namespace fathom::statics::heap {

/// Visits every term that callers see of the effect.
template <class Visit> static void forEachTerm(Effect &effect, Visit &&visit) {
  const auto visitAddress = [&](Address &at) {
    visit(at.base);
    visit(at.varying);
  };
  visit(effect.result);
  for (Cell &cell : effect.cells) {
    visitAddress(cell.at);
    visit(cell.value);
  }
  for (Released &each : effect.released) {
    visit(each.base);
    visit(each.pointer);
  }
  for (std::vector<TermId> *bases : {&effect.made, &effect.forgotten, &effect.escaped,
                                     &effect.copied, &effect.partlyWritten, &effect.zeroed})
    for (TermId &base : *bases) visit(base);
  for (Access &access : effect.accesses) visit(access.base);
  for (Check &check : effect.checks) {
    visitAddress(check.address);
    visit(check.divisor);
    visit(check.text);
  }
}

void FunctionEffects::compact() {
  std::vector<bool> isKept(terms.size());
  for (Effect &effect : effects) {
    forEachTerm(effect, [&](TermId &term) {
      if (term != kNoTerm) isKept[term] = true;
    });
    for (const Atom &atom : effect.constraints.atoms()) isKept[atom.condition] = true;
  }
  std::vector<TermId> moved;
  terms = terms.reduced(std::move(isKept), moved);
  for (Effect &effect : effects) {
    forEachTerm(effect, [&](TermId &term) {
      if (term != kNoTerm) term = moved[term];
    });
    effect.constraints.reduce(moved);
  }
}

} // namespace fathom::statics::heap
