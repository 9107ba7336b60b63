// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What static analyses are built on: facts, points-to sets, what functions read and write, and the
// value flow of one module.
#ifndef FATHOM_RUN_PROGRAMFLOW_H
#define FATHOM_RUN_PROGRAMFLOW_H

#include "run/AnalysisBudget.h"
#include "statics/front/BuildFacts.h"
#include "statics/pointers/ModRef.h"
#include "statics/pointers/PointsTo.h"
#include "statics/valueflow/ValueFlow.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace fathom::run {

/// Facts and points-to sets; stays where it is, because the sets refer to the facts.
struct ProgramPointers {
  statics::Facts facts;
  std::unique_ptr<statics::PointsTo> pts;
};

/// The same and all that follows from it.
struct ProgramFlow : ProgramPointers {
  std::unique_ptr<statics::ModRef> modRef;
  std::unique_ptr<statics::ValueFlow> flow;
};

/// Fill `out`, as far as the budget allows. A UsageError where the module has no `entry`.
llvm::Error analysePointers(ProgramPointers &out, const llvm::Module &module,
                            const std::string &entry, AnalysisBudget &budget, Session &session);
llvm::Error analyseFlow(ProgramFlow &out, const llvm::Module &module, const std::string &entry,
                        AnalysisBudget &budget, Session &session);

} // namespace fathom::run
#endif
