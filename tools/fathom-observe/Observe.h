// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the static analyses: the program says what its pointers point to, and each
// observation has to be in the static result.
#ifndef FATHOM_TOOLS_OBSERVE_H
#define FATHOM_TOOLS_OBSERVE_H

#include "statics/front/BuildFacts.h"
#include "statics/valueflow/ValueFlow.h"

#include <string>

namespace fathom::observe {

/// Makes the module tell what it does (observe.c), and an object file of it.
llvm::Error instrument(llvm::Module &module, const statics::Facts &facts,
                       const statics::PointsTo &pts, const statics::FactsOrigin &origin,
                       const std::string &objectFile);

/// How many observations there are, and those that the static result lacks, as text.
struct Verdict {
  uint64_t addresses = 0, pointers = 0, calls = 0, defUses = 0;
  std::vector<std::string> missing;
};
Verdict check(const statics::ValueFlow &flow, const std::string &observations);

} // namespace fathom::observe
#endif
