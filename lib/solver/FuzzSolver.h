// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzz solver: satisfiability by search. A logic solver has no interpretation for an external
// operation, but the operation can be executed; so constraints with applications of operations
// (Kind::Apply) are compiled and run on one assignment after the other until one satisfies all.
// It can say Sat, never Unsat.
//
//   std::unique_ptr<FuzzSolver> solver = makeJitFuzzSolver(context);
//   Answer a = solver->solve(constraints, seeds, {.evaluations = 100'000, .time = 6s});
//
// Two back ends: `jit` (JitFuzzSolver.h: machine code made in memory, a search that is guided by
// branch distances) and `afl` (AflFuzzSolver.h: a C program for each query, fuzzed by AFL++).
//
// Source: [colossus] §3.3.
#ifndef FATHOM_SOLVER_FUZZSOLVER_H
#define FATHOM_SOLVER_FUZZSOLVER_H

#include "solver/Oracle.h"

#include <atomic>
#include <span>

namespace fathom::solver {

/// How long a search may go on: until one of them is spent.
struct FuzzBudget {
  uint64_t evaluations = 200'000;          ///< Assignments tried.
  std::chrono::milliseconds time{6000};    ///< Wall time.
  const std::atomic<bool> *stop = nullptr; ///< Ends it too, once it is true; null: nothing does.
};

/// What a fuzz solver did so far.
struct FuzzStats {
  uint64_t queries = 0, sat = 0;
  uint64_t evaluations = 0;  ///< Assignments tried.
  uint64_t compilations = 0; ///< Queries that were made machine code or a program.
  uint64_t rejected = 0;     ///< What a search took for a model and evaluation did not confirm.
  double compileSeconds = 0, searchSeconds = 0;
};

class FuzzSolver {
public:
  virtual ~FuzzSolver() = default;

  /// Looks for an assignment under which every constraint (width 1) is true.
  ///
  /// \param seeds  Assignments to begin with, the most promising first: the witness of the path, or
  ///               of the other side of the branch. May be empty. Null entries are skipped.
  /// \returns      Sat with a model, confirmed by evaluating all constraints with the operations
  ///               executed; its bytes that no constraint depends on are those of the first seed.
  ///               Otherwise Unknown, with the reason "fuzz: not found", "timeout" or
  ///               "fuzz: ..." when the constraints cannot be compiled or executed. Never Unsat.
  /// Determinism:  the same constraints, seeds and options give the same answer, as long as it is
  ///               the number of evaluations that ends the search (`jit`; `afl` is never the same).
  virtual Answer solve(std::span<const ExprPtr> constraints, std::span<const Model *const> seeds,
                       const FuzzBudget &budget) = 0;
  virtual FuzzStats stats() const = 0;
};

} // namespace fathom::solver
#endif
