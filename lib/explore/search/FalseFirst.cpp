// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// false-first: depth first, and of the two sides of a branch the false one first.
//
// A state that runs goes on until its turn is over; then the false sides that it passed come before
// it. Which side a state took is known where a policy keeps decisions (Policy::keepsDecisions);
// elsewhere this is dfs.
//
// Source: the default strategy of [satracer] Sec. III-D.
#include "explore/search/SearcherTable.h"

#include "explore/search/StateQueue.h"

namespace fathom::explore {

namespace {

bool isTrueSide(const State &state) {
  if (state.pending) return state.pending->side != 0;
  return state.decisions.last && state.decisions.last->value.way != 0;
}

class FalseFirstSearcher final : public Searcher {
public:
  State &next() override { return states_.back(); }
  void add(State *from, State &forked) override {
    states_.append(forked);
    if (from && isTrueSide(forked)) states_.toTheEnd(*from);
  }
  void remove(State &state) override { states_.remove(state); }

private:
  StateQueue states_;
};

} // namespace

std::unique_ptr<Searcher> makeFalseFirst(const SearcherOptions &, std::string &) {
  return std::make_unique<FalseFirstSearcher>();
}

} // namespace fathom::explore
