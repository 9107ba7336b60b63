// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/PathUnsimplifiedTerms.h"

#include "solver/Support.h"

#include <algorithm>

namespace fathom::explore {

PathPart PathPart::since(const State &s, const solver::PathCondition &path,
                         const PersistentList<Decision> &decisions) {
  PathPart part;
  for (auto *n = s.path.last(); n && n != path.last(); n = n->previous.get())
    part.constraints.push_back(n->constraint);
  std::ranges::reverse(part.constraints);
  for (auto *n = s.decisions.last.get(); n && n != decisions.last.get(); n = n->previous.get())
    part.decisions.push_back(&n->value);
  std::ranges::reverse(part.decisions);
  return part;
}

std::vector<expr::UnsimplifiedPtr>
PathPart::unsimplifiedTerms(expr::UnsimplifiedTerms &unsimplified, bool withImplied) const {
  std::vector<expr::UnsimplifiedPtr> out;
  size_t next = 0; // constraint
  for (const Decision *d : decisions) {
    if (!d->condition || d->condition->isTrue() || (d->isImplied && !withImplied)) continue;
    if (!d->isImplied) {
      std::vector<ExprPtr> parts;
      solver::flattenConjunction(d->condition, parts);
      auto isPart = [&](ExprPtr e) { return std::ranges::find(parts, e) != parts.end(); };
      // If the path condition implied all parts already, the decision added no constraint.
      const auto from = constraints.begin() + static_cast<ptrdiff_t>(next);
      if (std::find_if(from, constraints.end(), isPart) != constraints.end()) {
        while (!isPart(constraints[next])) out.push_back(unsimplified.of(constraints[next++]));
        while (next < constraints.size() && isPart(constraints[next])) next++;
      }
    }
    out.push_back(d->asBuilt);
  }
  while (next < constraints.size()) out.push_back(unsimplified.of(constraints[next++]));
  return out;
}

} // namespace fathom::explore
