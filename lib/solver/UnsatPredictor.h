// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts that the fuzz solver will not find a model, from what it found at the same branch before
// (temporal locality): a two-bit saturating counter for each branch location, as in branch
// prediction.
//
//   0 strongly unsat   1 weakly unsat   2 weakly sat   3 strongly sat (the start)
//
// A model found counts up, a search that ends without one counts down. A query that is predicted
// unsat is not run, so that by itself the counter would stay where it is: every `probe`-th of them
// is run all the same, and a model found then sets the counter to weakly sat at once. As long as
// the counter is not strongly sat, queries that are run get a part of the evaluations only: what
// can be found is mostly found soon.
//
// Source: [colossus] §3.3, Fig. 4. Departs: the probes; the paper does not say how a branch is
// tried again.
#ifndef FATHOM_SOLVER_UNSATPREDICTOR_H
#define FATHOM_SOLVER_UNSATPREDICTOR_H

#include <cstdint>
#include <unordered_map>

namespace fathom::solver {

class UnsatPredictor {
public:
  struct Stats {
    uint64_t skipped = 0;    ///< Predicted unsat and not run.
    uint64_t probes = 0;     ///< Predicted unsat and run all the same.
    uint64_t wrongUnsat = 0; ///< Probes that found a model.
    uint64_t wrongSat = 0;   ///< Predicted sat, and nothing was found.
  };

  /// \param probe  Of the queries of a branch that are predicted unsat, every probe-th is run. 0:
  /// none.
  explicit UnsatPredictor(unsigned probe) : probe_(probe) {}

  /// Is the query of this branch to be run? ~0u: of no branch, always.
  bool shouldRun(uint32_t branch);
  /// Did the last query of this branch that was run find nothing?
  bool isDoubtful(uint32_t branch) const;
  /// What the query that was run gave.
  void record(uint32_t branch, bool found);
  const Stats &stats() const { return stats_; }

private:
  struct State {
    uint8_t counter = 3;
    unsigned skipped = 0; // since the last probe
  };
  unsigned probe_;
  std::unordered_map<uint32_t, State> states_; // looked up only
  Stats stats_;
};

} // namespace fathom::solver
#endif
