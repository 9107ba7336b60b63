// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dfs: depth first.
#include "explore/search/SearcherTable.h"

#include "explore/search/StateQueue.h"

namespace fathom::explore {

namespace {
/// Depth first: the newest state. Stays with a state until it ends.
class DfsSearcher final : public Searcher {
public:
  State &next() override { return states_.back(); }
  void add(State *, State &forked) override { states_.append(forked); }
  void remove(State &state) override { states_.remove(state); }

private:
  StateQueue states_;
};
} // namespace

std::unique_ptr<Searcher> makeDepthFirst(const SearcherOptions &, std::string &) {
  return std::make_unique<DfsSearcher>();
}

} // namespace fathom::explore
