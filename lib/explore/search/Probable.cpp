// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// psp: the path that a campaign makes most probable.
#include "explore/search/SearcherTable.h"

#include <set>
#include <tuple>
#include <unordered_map>

namespace fathom::explore {

namespace {
/// The state whose sides of branches are the most probable together; of equal ones the newest. A
/// turn costs O(log states). Source: [psp23] Algorithm 1, line 10.
class ProbableSearcher final : public Searcher {
public:
  State &next() override { return *std::get<State *>(*states_.rbegin()); }
  void add(State *, State &forked) override { put(forked); }
  void remove(State &state) override {
    auto place = places_.find(&state);
    states_.erase(place->second);
    places_.erase(place);
  }
  void ran(State &state) override {
    auto place = places_.find(&state);
    if (std::get<double>(place->second) == state.odds) return;
    states_.erase(place->second);
    place->second = {state.odds, std::get<uint64_t>(place->second), &state};
    states_.insert(place->second);
  }

private:
  using Place = std::tuple<double, uint64_t, State *>; // odds, how late it came
  void put(State &state) {
    const Place place{state.odds, came_++, &state};
    places_[&state] = place;
    states_.insert(place);
  }

  std::set<Place> states_;
  std::unordered_map<State *, Place> places_; // looked up only
  uint64_t came_ = 0;
};
} // namespace

std::unique_ptr<Searcher> makeProbable(const SearcherOptions &, std::string &) {
  return std::make_unique<ProbableSearcher>();
}

} // namespace fathom::explore
