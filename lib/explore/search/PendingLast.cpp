// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pending: what is known to be feasible first, questions last.
#include "explore/search/SearcherTable.h"

#include "explore/search/StateQueue.h"

#include <unordered_set>

namespace fathom::explore {

namespace {
/// Paths that are known to be feasible first, each to its end; when there is none, a pending state,
/// by random path selection among them. Source: Kapus, Busse, Cadar, ASE 2020, Sec. 3.
class PendingSearcher final : public Searcher {
public:
  /// `waiting`: of the pending states.
  explicit PendingSearcher(std::unique_ptr<Searcher> waiting) : waiting_(std::move(waiting)) {}
  State &next() override { return feasible_.empty() ? waiting_->next() : feasible_.back(); }
  void add(State *from, State &forked) override {
    if (forked.pending)
      waiting_->add(isWaiting_.contains(from) ? from : nullptr, forked);
    else
      feasible_.append(forked);
    if (forked.pending) isWaiting_.insert(&forked);
  }
  void remove(State &state) override {
    if (isWaiting_.erase(&state))
      waiting_->remove(state);
    else
      feasible_.remove(state);
  }
  void ran(State &state) override {
    if (state.pending || !isWaiting_.erase(&state)) return;
    waiting_->remove(state); // its answer was yes
    feasible_.append(state);
  }

private:
  StateQueue feasible_;
  std::unique_ptr<Searcher> waiting_;
  std::unordered_set<State *> isWaiting_; // looked up only
};
} // namespace

std::unique_ptr<Searcher> makePendingLast(const SearcherOptions &options, std::string &error) {
  return std::make_unique<PendingSearcher>(makeRandomPath(options, error));
}

} // namespace fathom::explore
