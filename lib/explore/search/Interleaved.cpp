// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several searchers by list: each name of --search in turn.
#include "explore/search/SearcherTable.h"

#include "explore/search/StayNear.h"

#include <algorithm>

namespace fathom::explore {

namespace {
/// Asks its searchers in turn; one whose choices take longer is asked less often. Where there are
/// many states, the same one is asked for a while: each of them stays near its own last choice.
class InterleavedSearcher final : public Searcher {
public:
  InterleavedSearcher(std::vector<std::unique_ptr<Searcher>> searchers,
                      const Interpreter &interpreter)
      : searchers_(std::move(searchers)), spent_(searchers_.size(), 0), near_(interpreter) {}
  State &next() override {
    if (!near_.goesOn(states_))
      asked_ = static_cast<size_t>(std::min_element(spent_.begin(), spent_.end()) - spent_.begin());
    spent_[asked_] += 1;
    return searchers_[asked_]->next();
  }
  void spent(State &state, double turns) override {
    spent_[asked_] += turns - 1;
    for (auto &s : searchers_) s->spent(state, turns);
  }
  void add(State *from, State &forked) override {
    states_++;
    for (auto &s : searchers_) s->add(from, forked);
  }
  void remove(State &state) override {
    states_--;
    for (auto &s : searchers_) s->remove(state);
  }
  void ran(State &state) override {
    for (auto &s : searchers_) s->ran(state);
  }

private:
  std::vector<std::unique_ptr<Searcher>> searchers_;
  std::vector<double> spent_; ///< turns, per searcher
  size_t asked_ = 0, states_ = 0;
  StayNear near_;
};
} // namespace

std::unique_ptr<Searcher> makeInterleaved(std::vector<std::unique_ptr<Searcher>> searchers,
                                          const Interpreter &interpreter) {
  return std::make_unique<InterleavedSearcher>(std::move(searchers), interpreter);
}

} // namespace fathom::explore
