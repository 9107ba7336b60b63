// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Chain.h"

#include "solver/CrossCheck.h"
#include "solver/QuantifierStage.h"
#include "solver/StageTable.h"
#include "solver/ValueSetStage.h"
#include "solver/WholeStage.h"
#include "solver/Z3Stage.h"
#include "support/Check.h"

#include <cassert>
#include <ranges>

namespace fathom::solver {

std::string validate(const SolverOptions &options) {
  for (const std::string &name : options.disabledStages)
    if (!StageTable::builtIn().has(name))
      return "solver stage " + name + ": expected " + StageTable::builtIn().names();
  if (options.z3MemoryMb < 16)
    return "z3MemoryMb: is " + std::to_string(options.z3MemoryMb) + ", expected at least 16";
  return {};
}

ChainBuilder::ChainBuilder(expr::ExprContext &context, const SolverOptions &options)
    : context(context), options(options), index(std::make_shared<PathIndex>(context)),
      sets_(std::make_unique<Z3Stage>(context, options)) {}

std::unique_ptr<ConjunctionSolver> ChainBuilder::takeSets() {
  assert(sets_ && "a stage of sets above one of paths");
  return std::move(sets_);
}

std::unique_ptr<FeasibilityOracle> ChainBuilder::takePaths() {
  return sets_ ? std::make_unique<WholeStage>(std::move(sets_)) : std::move(paths_);
}

void ChainBuilder::put(std::unique_ptr<ConjunctionSolver> stage) { sets_ = std::move(stage); }
void ChainBuilder::put(std::unique_ptr<FeasibilityOracle> stage) { paths_ = std::move(stage); }

std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context,
                                             const SolverOptions &options) {
  return makeChain(context, options, StageTable::builtIn());
}

// From the bottom up; a query falls from the top down: see Stages.def.  // TOUR(4)
std::unique_ptr<FeasibilityOracle>
makeChain(expr::ExprContext &context, const SolverOptions &options, const StageTable &table) {
  for (const std::string &name : options.disabledStages)
    FATHOM_CHECK(table.has(name), "a stage that is not there is disabled");
  ChainBuilder chain(context, options);
  for (const StageEntry &stage : table.entries() | std::views::reverse)
    if (options.uses(stage.name)) stage.put(chain);
  if (options.valueSets) chain.put(std::make_unique<ValueSetStage>(context, chain.takePaths()));
  if (options.crossCheck)
    chain.put(std::make_unique<CrossCheck>(chain.takePaths(), makeReference(context, options)));
  return chain.takePaths();
}

std::unique_ptr<FeasibilityOracle> makeReference(expr::ExprContext &context,
                                                 const SolverOptions &options) {
  SolverOptions plain;
  plain.z3MemoryMb = options.z3MemoryMb;
  return std::make_unique<WholeStage>(
      std::make_unique<ExpansionStage>(context, std::make_unique<Z3Stage>(context, plain)));
}

} // namespace fathom::solver
