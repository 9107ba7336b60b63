// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzz solver: satisfiability by search. A logic solver has no interpretation for an external
// operation, but the operation can be executed; so constraints with applications of operations
// (Kind::Apply) are compiled and run on one assignment after the other until one satisfies all.
// It says Unsat only where it has executed all assignments that are left, of operations that are
// known to be functions of their inputs.
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

/// For a budget whose evaluations are to end the search.
inline constexpr std::chrono::milliseconds kNoTime = std::chrono::hours(24);

/// What a fuzz solver did so far.
struct FuzzStats {
  uint64_t queries = 0, sat = 0;
  uint64_t evaluations = 0;  ///< Assignments tried.
  uint64_t compilations = 0; ///< Queries that were made machine code or a program.
  uint64_t refuted = 0;      ///< Unsat: all that was left was executed,
  uint64_t candidates = 0;   ///< and these are so many assignments.
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
  ///               Unsat if constraints on single bytes leave few assignments (65,536, and no more
  ///               than the budget has), all were executed, each operation came to its end and
  ///               isPure(): stats().candidates says how many there were. `jit` only.
  ///               Otherwise Unknown, with the reason "fuzz: not found", "timeout" or
  ///               "fuzz: ..." when the constraints cannot be compiled or executed.
  /// Determinism:  the same constraints, seeds and options give the same answer, as long as it is
  ///               the number of evaluations that ends the search (`jit`; `afl` is never the same).
  virtual Answer solve(std::span<const ExprPtr> constraints, std::span<const Model *const> seeds,
                       const FuzzBudget &budget) = 0;
  virtual FuzzStats stats() const = 0;
};

} // namespace fathom::solver
#endif
