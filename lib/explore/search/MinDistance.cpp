// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// md2u: a state drawn from all states, with a weight that falls with the square of its distance to
// uncovered code.
//
// It is KLEE's nurs:md2u, for comparisons and for scripts that name it. Where nearly all states
// wait at one loop, nearly all draws go there; covnew draws a place first (NearestPlace.h).
//
// Cost: O(log n) per turn; all weights anew, O(n), when something new was covered, at most once per
// kRefreshTurns turns.
//
// Source: C. Cadar, D. Dunbar, D. Engler, OSDI 2008, Sec. 3.4.
#include "explore/search/Distance.h"
#include "explore/search/NearestPlace.h"
#include "explore/search/WeightedIndex.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace fathom::explore {

namespace {

class MinDistanceSearcher final : public Searcher {
public:
  MinDistanceSearcher(const Interpreter &interpreter, Rng &rng)
      : interpreter_(interpreter), rng_(rng), distance_(interpreter.program()) {
    look();
  }
  State &next() override {
    if (interpreter_.coverage.newCoverage != coverageSeen_ && ++turns_ >= kRefreshTurns) {
      look();
      for (size_t at = 0; at < states_.size(); ++at) weigh(at);
    }
    return *states_[weights_.draw(rng_)];
  }
  void add(State *, State &forked) override {
    size_t at = states_.size();
    if (free_.empty()) {
      states_.push_back(&forked);
      weights_.append();
    } else {
      at = free_.back();
      free_.pop_back();
      states_[at] = &forked;
    }
    placeOf_[&forked] = at;
    weigh(at);
  }
  void remove(State &state) override {
    const size_t at = placeOf_.at(&state);
    placeOf_.erase(&state);
    states_[at] = nullptr;
    free_.push_back(at);
    weigh(at);
  }
  void ran(State &state) override { weigh(placeOf_.at(&state)); }

private:
  /// KLEE's weight of a state that leads to no uncovered code is that of this distance.
  static constexpr uint32_t kUnreachable = 10'000;
  static constexpr unsigned kRefreshTurns = 100;
  /// A question that leads to no code (PendingLast.cpp) comes when nothing else is left.
  static constexpr double kOfCheck = 1e-9;

  void look() {
    coverageSeen_ = interpreter_.coverage.newCoverage;
    turns_ = 0;
    distance_.update(uncoveredCode(interpreter_));
  }
  void weigh(size_t at) {
    const State *s = states_[at];
    weights_.set(at, s ? weightOf(*s) : 0);
  }
  double weightOf(const State &s) const {
    const uint32_t far =
        distance_.of(s, [this](uint32_t f) { return interpreter_.code.codeOf(f); });
    const double distance = std::clamp(far, 1u, kUnreachable);
    const bool isCheck = s.pending && s.pending->kind != Pending::Kind::Way;
    return (isCheck ? kOfCheck : 1) / (distance * distance);
  }

  const Interpreter &interpreter_;
  Rng &rng_;
  DistanceMap distance_;
  std::vector<State *> states_; ///< null: free
  std::vector<size_t> free_;
  std::unordered_map<State *, size_t> placeOf_;
  WeightedIndex weights_; ///< of states_
  uint64_t coverageSeen_ = 0;
  unsigned turns_ = 0; ///< since the distances were computed, with something new covered
};

} // namespace

std::unique_ptr<Searcher> makeMinDistance(const SearcherOptions &options, std::string &) {
  return std::make_unique<MinDistanceSearcher>(options.interpreter, options.rng);
}

} // namespace fathom::explore
