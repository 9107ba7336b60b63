// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver chain: which stages, in which order.
#ifndef FATHOM_SOLVER_CHAIN_H
#define FATHOM_SOLVER_CHAIN_H

#include "expr/ExprContext.h"
#include "solver/ExternalOptions.h"
#include "solver/Isolation.h"
#include "solver/Oracle.h"

#include <atomic>
#include <memory>
#include <string>

namespace fathom::solver {

struct SolverOptions {
  bool witness = true; ///< Stage 1: the state's own model answers one side of every branch.
  bool ranges = true;  ///< Stage 2: intervals and known bits (cheap unsat; cheap valid).
  bool slicing = true; ///< Stage 3a: only the constraints that share symbols with the goal.
  bool cache = true;   ///< Stage 3b: exact, subset (sat) and superset (unsat) answers of the past.
  bool domains = true; ///< Stage 4: enumeration over the domains of few bytes.
  bool sat = true;     ///< Stage 5: a SAT solver on circuits that are kept.
  /// Of stage 5 for one query: new gates and the SAT solver's conflicts. What takes more is passed
  /// on.
  size_t satGates = 20'000'000;
  int satConflicts = 30'000;
  bool guided = true;   ///< Stage 6: search on compiled constraints, where an SMT solver is slow.
  bool external = true; ///< Around stages 4 to 7: external operations, by the fuzz solver.
  ExternalOptions externals;
  uint64_t fuzzSeed = 1;              ///< Of the fuzz solver's random choices.
  uint64_t domainBudget = 20'000'000; ///< For one query, in units of expr::laneCost() per lane;
                                      ///< about 0.6 ms. More for queries that are large circuits.
  bool crossCheck = false; ///< Asks Z3 alone too, and aborts with the query when the answers
                           ///< contradict each other (tests).
  std::string
      logFile; ///< Non-empty: every query that reaches the SMT solver, as SMT-LIB2, appended here.
  uint64_t z3MemoryMb = 1024; ///< Z3's limit. Stage 5 takes up to half as much, and passes on
                              ///< what is larger.
  uint64_t z3ResourceLimit =
      0; ///< Non-zero: Z3's rlimit per query instead of wall time (reproducible runs).
  /// Ctrl-C: once it is true, a query that is being solved ends soon, and others do not start.
  const std::atomic<bool> *stop = nullptr;
  /// Which queries are not asked in this process, and where it says what it asks. Null: all are,
  /// and nobody is told.
  const Isolation *isolation = nullptr;
};

/// Checks the options; an empty string is fine, otherwise what is wrong.
std::string validate(const SolverOptions &options);

/// Builds witness -> ranges -> slicing -> cache -> external -> domains -> sat -> guided -> Z3,
/// leaving out what is switched off.
std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context,
                                             const SolverOptions &options);

} // namespace fathom::solver
#endif
