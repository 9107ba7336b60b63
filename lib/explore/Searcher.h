// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which state to run next. A searcher does not own states; it is told when they come and go.
#ifndef FATHOM_EXPLORE_SEARCHER_H
#define FATHOM_EXPLORE_SEARCHER_H

#include "explore/Machine.h"
#include "explore/State.h"
#include "support/Rng.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::explore {

class Searcher {
public:
  virtual ~Searcher() = default;
  /// The state to run next; there is at least one.
  virtual State &next() = 0;
  /// `forked` came out of running `from` (null: the initial state), which may have ended or not:
  /// see remove.
  virtual void add(State *from, State &forked) = 0;
  /// The state's path has ended.
  virtual void remove(State &state) = 0;
  /// What running the state that next() gave has cost, in turns of usual length: at least 1. Told
  /// before ran() or remove().
  virtual void spent(State &state, double turns) { (void)state, (void)turns; }
  /// The state was run and goes on: its position and coverage may have changed.
  virtual void ran(State &state) { (void)state; }
};

/// Empty when makeSearcher knows every name; otherwise which it does not, and what would be right.
std::string validateSearch(const std::string &names);

/// Builds the searcher that `names` (valid) describes (Options.def, --search): several names
/// separated by commas are asked in turn. Null when a target is not in the program: `error` says
/// which.
std::unique_ptr<Searcher> makeSearcher(const std::string &names, const Machine &machine, Rng &rng,
                                       std::string &error);

} // namespace fathom::explore
#endif
