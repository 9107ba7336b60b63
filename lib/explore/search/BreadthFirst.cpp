// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfs: breadth first.
#include "explore/search/SearcherTable.h"

#include "explore/search/StateQueue.h"

namespace fathom::explore {

namespace {
/// Breadth first: every state in turn, the oldest first; a state that ran goes to the end.
class BfsSearcher final : public Searcher {
public:
  State &next() override { return states_.front(); }
  void add(State *, State &forked) override { states_.append(forked); }
  void remove(State &state) override { states_.remove(state); }
  void ran(State &state) override { states_.toTheEnd(state); }

private:
  StateQueue states_;
};
} // namespace

std::unique_ptr<Searcher> makeBreadthFirst(const SearcherOptions &, std::string &) {
  return std::make_unique<BfsSearcher>();
}

} // namespace fathom::explore
