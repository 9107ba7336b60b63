// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the Z3 adapter: one Z3 context with its solvers, in this process. Answers conjunctions
// under a deadline that a watchdog enforces with Z3_interrupt, and under limits of memory and
// resources.
//
// A conjunction is first put to an incremental solver, which keeps what the last one asserted as
// far as the two begin alike: paths grow, so they mostly do. There are two of these, Z3's SMT core
// and, for queries whose reads became trees of ites, its incremental SAT solver (2 to 4 times
// faster there, half as fast elsewhere). They get a small resource budget. What they do not finish
// goes to Z3's whole strategy for bit-vectors, started afresh: strong on arithmetic, but
// milliseconds slower on every small query. bench/micro/solver.cpp has the comparison.
//
// A context that was interrupted, ran out of memory or reported an error is thrown away: what state
// it was left in is not ours to guess. So is one that has translated very many terms, because Z3
// never gives memory back.
#ifndef FATHOM_SOLVER_Z3SESSION_H
#define FATHOM_SOLVER_Z3SESSION_H

#include "solver/Conjunction.h"
#include "solver/Support.h"

#include <atomic>

namespace fathom::solver {

struct Z3Limits {
  uint64_t memoryMb = 1024;
  uint64_t resources = 0;   ///< Z3's rlimit per query; 0: none.
  bool countsUnits = false; ///< Session::units() is asked for; it is where steps are counted, too.
  bool useWatchdog = true;  ///< False in a child that its parent kills at the deadline.
  const std::atomic<bool> *stop = nullptr; ///< becomes true when the user interrupts; null: never
  /// `resources`, and where steps are counted at most those that are left until the deadline.
  uint64_t resourcesUntil(Clock::time_point deadline) const {
    if (!Clock::countsSteps()) return resources;
    const uint64_t left = std::max<uint64_t>(stepsIn(deadline - Clock::now(), StepKind::Z3Unit), 1);
    return resources ? std::min(resources, left) : left;
  }
  bool mustStop() const { return stop && stop->load(std::memory_order_relaxed); }
};

/// Reason of an answer Unknown.

class Z3Session {
public:
  Z3Session(const expr::ExprContext &context, const Z3Limits &limits);
  ~Z3Session();
  /// `support` is the union of the supports of the constraints: the bytes a model is asked for.
  /// `readsByIndex`: some constraint reads an array at an index that is not constant (picks the
  /// solver to start with).
  Answer solve(const Conjunction &query, const Support &support, bool readsByIndex);
  /// The query as an SMT-LIB2 script with (check-sat). `status` is sat, unsat or unknown, for its
  /// set-info line.
  std::string script(const Conjunction &query, const Support &support, const char *status);
  /// Drops all translated terms (their keys may be about to be reclaimed).
  void forget();
  /// Units of Z3's rlimit that were used since the session began.
  uint64_t units() const;
  /// How late the last answer was, beyond its deadline.
  Clock::duration overrun() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fathom::solver
#endif
