// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries with quantifiers, made at random, and the solvers that answer them below the tested
// stages.
#ifndef FATHOM_UNITTESTS_SOLVER_QUANTIFIEDQUERY_H
#define FATHOM_UNITTESTS_SOLVER_QUANTIFIEDQUERY_H

#include "SolverTestUtil.h"

#include "RandomQuantifiers.h"
#include "solver/CircuitSolver.h"
#include "solver/SatStage.h"
#include "solver/Support.h"
#include "solver/Z3Stage.h"

#include <algorithm>

namespace fathom::solver::test {

inline std::unique_ptr<ConjunctionSolver> z3(ExprContext &c) {
  return std::make_unique<Z3Stage>(c, SolverOptions{});
}

/// A SAT solver, and Z3 below: quick, and complete.
inline std::unique_ptr<ConjunctionSolver> circuits(ExprContext &c) {
  auto solver = std::make_shared<CircuitSolver>(c, uint64_t(512) << 20, nullptr, nullptr);
  return std::make_unique<SatStage>(
      solver, CircuitSolver::Effort{.newGates = 20'000'000, .conflicts = 30'000}, z3(c));
}

inline Answer ask(ConjunctionSolver &solver, std::span<const ExprPtr> constraints,
                  const Model *witness = nullptr,
                  std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  return solver.solve(
      {.constraints = constraints, .deadline = Clock::now() + timeout, .witness = witness});
}

/// Up to three clauses with quantifiers and eight without, and the parts; each once. Empty: a part
/// is false, or none has a quantifier.
inline std::vector<ExprPtr> quantifiedQuery(expr::test::RandomQuantifiers &random, Rng &rng,
                                            std::vector<ExprPtr> parts = {}) {
  std::vector<ExprPtr> query;
  for (unsigned m = 1 + rng.below(3); m > 0; --m) flattenConjunction(random.clause(), parts);
  for (unsigned m = rng.below(9); m > 0; --m) flattenConjunction(random.plain(), parts);
  for (ExprPtr e : parts)
    if (std::ranges::find(query, e) == query.end()) query.push_back(e);
  if (std::ranges::none_of(query, [](ExprPtr e) { return e->has(expr::kHasForall); }) ||
      std::ranges::any_of(query, [](ExprPtr e) { return e->isFalse(); }))
    query.clear();
  return query;
}

/// Some text that the quantifiers may be about.
inline Model randomText(const expr::test::RandomQuantifiers &random, Rng &rng) {
  Model witness;
  for (uint64_t at = 0; at < 12; ++at)
    witness.setByte(random.text, at, static_cast<uint8_t>(97 + rng.below(3)));
  return witness;
}

} // namespace fathom::solver::test
#endif
