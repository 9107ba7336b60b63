// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Z3 (and CaDiCaL) runs in the exploring process: a query costs microseconds there, and
// milliseconds in a process of its own. But there it can end the whole process: it can crash, or
// hang in code that does not check for interrupts.
//
// So a worker process announces in shared memory which query a solver is working on (RunningQuery).
// The solver is Z3, CaDiCaL, or a search of our own, which is announced too so that the watching
// process knows what takes so long. That process ends a worker whose query is overdue, and learns
// on which query Z3 hung or crashed. It isolates this query: workers that repeat the work ask it in
// a child process that is killed at the deadline. After a few losses, all queries to Z3 and CaDiCaL
// are isolated.
#ifndef FATHOM_SOLVER_ISOLATION_H
#define FATHOM_SOLVER_ISOLATION_H

#include "solver/Oracle.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <unordered_set>

namespace fathom::solver {

/// Lies in memory that two processes share; one writes, the other reads.
struct RunningQuery {
  std::atomic<uint64_t> hash = 0;      ///< of the conjunction that a solver works on; 0: none
  std::atomic<bool> isolated = false;  ///< in a child process, which is killed at the deadline
  std::atomic<Clock::rep> started = 0; ///< the clock of work
  std::atomic<Clock::rep> overdue = 0; ///< from then on (the same) it is taken for hung
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// How late an interrupted solver may come back before it is taken for hung: solvers check for
/// interrupts in some places only, and on a busy machine everything is late. A short attempt
/// (Query::asksAgain) may need as long as a usual one to receive the query.
inline Clock::duration graceOf(Clock::duration timeout, bool asksAgain = false) {
  return std::max<Clock::duration>(timeout / 10, std::chrono::seconds(asksAgain ? 3 : 1));
}

struct Isolation {
  RunningQuery *running = nullptr;       ///< outlives the chain; null: no process watches
  std::unordered_set<uint64_t> isolated; ///< queries that are asked in a child process
  bool all = false;                      ///< all are
};

/// Announces, as long as it lives, that a query is being solved.
class QueryHeartbeat {
public:
  QueryHeartbeat(const Isolation *isolation, uint64_t hash, bool isIsolated,
                 Clock::time_point deadline, bool asksAgain = false)
      : running_(isolation ? isolation->running : nullptr) {
    if (!running_) return;
    // The other process reads the clock of work, even if this thread counts steps.
    const Clock::time_point now = Clock::work(), end = Clock::backstop(deadline);
    running_->started = now.time_since_epoch().count();
    running_->overdue = (end + graceOf(end - now, asksAgain)).time_since_epoch().count();
    running_->isolated = isIsolated;
    running_->hash = hash;
  }
  ~QueryHeartbeat() {
    if (running_) running_->hash = 0;
  }
  QueryHeartbeat(const QueryHeartbeat &) = delete;
  QueryHeartbeat &operator=(const QueryHeartbeat &) = delete;

private:
  RunningQuery *running_;
};

} // namespace fathom::solver
#endif
