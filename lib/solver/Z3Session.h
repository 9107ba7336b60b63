// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the Z3 adapter: one Z3 context with its solver, in this process. Answers conjunctions under a deadline
// that a watchdog enforces with Z3_interrupt, and under limits of memory and resources.
//
// A context that was interrupted, ran out of memory or reported an error is thrown away: what state it was left in
// is not ours to guess. So is one that has translated very many terms, because Z3 never gives memory back.
#ifndef FATHOM_SOLVER_Z3SESSION_H
#define FATHOM_SOLVER_Z3SESSION_H

#include "solver/Conjunction.h"
#include "solver/Support.h"

namespace fathom::solver {

struct Z3Limits {
  uint64_t memoryMb = 1024;
  uint64_t resources = 0;  ///< Z3's rlimit per query; 0: none.
  bool useWatchdog = true; ///< False in a child that its parent kills at the deadline.
};

class Z3Session {
public:
  Z3Session(const expr::ExprContext &context, const Z3Limits &limits);
  ~Z3Session();
  /// `support` is the union of the supports of the constraints: the bytes a model is asked for.
  Answer solve(const Conjunction &query, const Support &support);
  /// The query as an SMT-LIB2 script with (check-sat). `status` is sat, unsat or unknown, for its set-info line.
  std::string script(const Conjunction &query, const Support &support, const char *status);
  /// Drops all translated terms (their keys may be about to be reclaimed).
  void forget();
  /// How late the last answer was, beyond its deadline.
  Clock::duration overrun() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fathom::solver
#endif
