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
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace fathom::solver {

struct SolverOptions {
  /// By the names of Stages.def: the chain does without these.
  std::set<std::string, std::less<>> disabledStages;
  bool uses(std::string_view stage) const { return !disabledStages.contains(stage); }
  void useStages(std::initializer_list<std::string_view> stages, bool areUsed) {
    for (const std::string_view stage : stages)
      if (areUsed)
        disabledStages.erase(std::string(stage));
      else
        disabledStages.emplace(stage);
  }
  /// Of the stage sat for one query: new gates and the SAT solver's conflicts. What takes more is
  /// passed on.
  size_t satGates = 20'000'000;
  int satConflicts = 30'000;
  ExternalOptions externals;
  uint64_t fuzzSeed = 1;              ///< Of the fuzz solver's random choices.
  uint64_t domainBudget = 20'000'000; ///< For one query, in units of expr::laneCost() per lane;
                                      ///< about 0.6 ms. More for queries that are large circuits.
  bool valueSets = false;             ///< Asks value sets first (ValueSetStage.h).
  bool crossCheck = false; ///< Asks Z3 alone too, and aborts with the query when the answers
                           ///< contradict each other (tests).
  std::string
      logFile; ///< Non-empty: every query that reaches the SMT solver, as SMT-LIB2, appended here.
  uint64_t z3MemoryMb = 1024; ///< Z3's limit. The stage sat takes up to half as much, and passes on
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

/// The stages of Stages.def that are switched on, and Z3 below them.
std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context,
                                             const SolverOptions &options);

/// Z3 alone, asked about the whole path, with quantifiers expanded: what other answers are checked
/// with. Of the options only the limits of Z3 count.
std::unique_ptr<FeasibilityOracle> makeReference(expr::ExprContext &context,
                                                 const SolverOptions &options);

} // namespace fathom::solver
#endif
