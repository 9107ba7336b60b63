// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Chain.h"

#include "solver/AflFuzzSolver.h"
#include "solver/CacheStage.h"
#include "solver/ComparingFuzzSolver.h"
#include "solver/CrossCheck.h"
#include "solver/DomainStage.h"
#include "solver/ExternalStage.h"
#include "solver/GuidedStage.h"
#include "solver/JitFuzzSolver.h"
#include "solver/RangeStage.h"
#include "solver/SatStage.h"
#include "solver/SliceStage.h"
#include "solver/WholeStage.h"
#include "solver/WitnessStage.h"
#include "solver/Z3Stage.h"

namespace fathom::solver {

std::string validate(const SolverOptions &options) {
  if (options.z3MemoryMb < 16)
    return "z3MemoryMb: is " + std::to_string(options.z3MemoryMb) + ", expected at least 16";
  return {};
}

static std::unique_ptr<FuzzSolver> makeFuzzSolver(expr::ExprContext &context,
                                                  const SolverOptions &options) {
  const ExternalOptions &o = options.externals;
  auto afl = [&] {
    return makeAflFuzzSolver(
        context, {.keepHarnesses = o.keepHarnesses, .scratch = {}, .seed = options.fuzzSeed});
  };
  if (o.compareFile.empty() && o.backEnd == FuzzBackEnd::Afl) return afl();
  auto jit = makeJitFuzzSolver(context, {.seed = options.fuzzSeed});
  if (o.compareFile.empty()) return jit;
  return makeComparingFuzzSolver(std::move(jit), afl(), o.compareFile);
}

// From the bottom up; a query falls from the top down.  // TOUR(4)
std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context,
                                             const SolverOptions &options) {
  auto index = std::make_shared<PathIndex>(context);

  // Sets of constraints.
  std::unique_ptr<ConjunctionSolver> sets = std::make_unique<Z3Stage>(context, options);
  if (options.guided)
    sets = std::make_unique<GuidedStage>(makeJitFuzzSolver(context, {.seed = options.fuzzSeed}),
                                         std::move(sets), options.stop, options.isolation);
  std::shared_ptr<CircuitSolver> circuits;
  if (options.sat) {
    circuits = std::make_shared<CircuitSolver>(context, (options.z3MemoryMb << 20) / 2,
                                               options.stop, options.isolation);
    sets = std::make_unique<SatStage>(
        circuits,
        CircuitSolver::Effort{.newGates = options.satGates, .conflicts = options.satConflicts},
        std::move(sets));
  }
  if (options.domains)
    sets = std::make_unique<DomainStage>(context, options.domainBudget, circuits, std::move(sets),
                                         options.stop, options.isolation);
  if (options.external) {
    ExternalOptions externals = options.externals;
    if (options.z3ResourceLimit) externals.logicShare = 1; // steps are to end it, not the clock
    sets = std::make_unique<ExternalStage>(context, externals, makeFuzzSolver(context, options),
                                           std::move(sets), options.stop);
  }
  if (options.cache) sets = std::make_unique<CacheStage>(context, std::move(sets));

  // A path and a goal.
  std::unique_ptr<FeasibilityOracle> chain;
  if (options.slicing)
    chain = std::make_unique<SliceStage>(index, std::move(sets));
  else
    chain = std::make_unique<WholeStage>(std::move(sets));
  if (options.ranges) chain = std::make_unique<RangeStage>(context, index, std::move(chain));
  if (options.witness) chain = std::make_unique<WitnessStage>(std::move(chain));
  if (options.crossCheck) {
    SolverOptions plain;
    plain.z3MemoryMb = options.z3MemoryMb;
    auto reference = std::make_unique<WholeStage>(std::make_unique<Z3Stage>(context, plain));
    chain = std::make_unique<CrossCheck>(std::move(chain), std::move(reference));
  }
  return chain;
}

} // namespace fathom::solver
