// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distances are those of explore/search/Distance.h.
#include "explore/search/NearestPlace.h"

#include "explore/search/Distance.h"
#include "explore/search/StayNear.h"
#include "explore/search/WeightedIndex.h"

#include <algorithm>
#include <cmath>
#include <llvm/ADT/DenseMap.h>
#include <unordered_map>

namespace fathom::explore {

namespace {
/// First a place, then a state there. Places are call stacks: states at the same instruction with
/// the same calls pending have the same way to go, and there may be a hundred thousand of them at
/// one loop and a single one at the door to new code. A place weighs the more the nearer it is to
/// instructions of interest, and the less the more often it was chosen in vain, or the more time
/// its states take: one query of a second would otherwise count as much as one of a microsecond.
///
/// For covnew the targets are the own instructions that no path has reached; they are looked up
/// again when something new was covered. Differs from KLEE's nurs:covnew, which draws from all
/// states and so spends nearly all its time where nearly all states are.
class DistanceSearcher final : public Searcher {
public:
  DistanceSearcher(const Interpreter &interpreter, Rng &rng, IsTarget isTarget, bool movingTargets)
      : interpreter_(interpreter), rng_(rng), isTarget_(std::move(isTarget)),
        moving_(movingTargets), distance_(interpreter.program()), near_(interpreter) {
    distance_.update(isTarget_);
  }
  State &next() override {
    if (moving_ && interpreter_.coverage.newCoverage != coverageSeen_ &&
        (interpreter_.instructions >= refreshAt_ || turns_ >= kRefreshTurns)) {
      coverageSeen_ = interpreter_.coverage.newCoverage;
      turns_ = 0;
      refreshAt_ = interpreter_.instructions + kRefreshInstructions;
      distance_.update(isTarget_);
      for (size_t i = 0; i < places_.size(); i++) {
        places_[i].turns = 0;
        places_[i].dear /= 2;
        if (places_[i].states.empty()) continue;
        places_[i].near = nearness(*places_[i].states.front());
        reweigh(i);
      }
    }
    turns_++;
    const size_t i = index_.draw(rng_);
    places_[i].turns++;
    reweigh(i);
    // The newest there has run last, and costs much less than one of a hundred thousand others.
    const auto &there = places_[i].states;
    if (near_.goesOn(there.size())) return *there.back();
    return *there[rng_.below(static_cast<uint32_t>(there.size()))];
  }
  void spent(State &state, double turns) override {
    if (turns <= 1) return;
    const size_t i = positionOf_.at(&state).place;
    places_[i].dear += turns - 1;
    reweigh(i);
  }
  void add(State *, State &forked) override { enter(forked); }
  void remove(State &state) override { leave(state); }
  void ran(State &state) override {
    leave(state);
    enter(state);
  }

private:
  /// Where turns are short (questions of small programs), many go by before so many instructions
  /// do, and what was new when it was left has long been covered.
  static constexpr uint64_t kRefreshInstructions = 2000000, kRefreshTurns = 1000;
  /// Places of pending states whose answers lead to no code: a twentieth of those that are next to
  /// new code, and what is left when all else is done.
  static constexpr double kWorthOfCheck = 0.05, kWorthOfOthers = 1e-6;
  /// Against the one before, which timed out: it takes ten times as long, and few are answered.
  static constexpr double kWorthOfNextAttempt = 0.01;
  static constexpr unsigned kCalls = 8; ///< that tell places apart; more would follow recursion
  struct Place {
    std::vector<State *> states;
    double near = 0;
    uint64_t turns = 0; ///< since something new was covered
    double dear = 0;    ///< what turns there cost beyond one each; halved when that happens
  };
  struct Position {
    size_t place, at;
  };

  double nearness(const State &s) const {
    if (!s.pending) return nearnessOfPosition(s);
    const Pending &p = *s.pending;
    const double again = std::pow(kWorthOfNextAttempt, p.attempts);
    switch (p.kind) {
    case Pending::Kind::Others: return again * kWorthOfOthers;
    case Pending::Kind::Check: return again * kWorthOfCheck;
    case Pending::Kind::Way: break;
    }
    const bool isNew = moving_ && p.own && !interpreter_.coverage.isSideCovered(p.branchId, p.side);
    return again * (isNew ? 1 : nearnessOfPosition(s));
  }
  double nearnessOfPosition(const State &s) const {
    const uint32_t d = distance_.of(s, [this](uint32_t f) { return interpreter_.code.codeOf(f); });
    return 1.0 / (d >= DistanceMap::kFar ? 1e6 : std::max(1u, d));
  }
  void reweigh(size_t i) {
    // Of two places of the same nearness, one where turns cost c times as much comes to get a
    // c^(1/2)-th of the turns. (The same time for both was worse: what is dear is often what is
    // new.)
    const Place &p = places_[i];
    index_.set(i, p.states.empty() ? 0 : p.near / (static_cast<double>(1 + p.turns) + p.dear));
  }
  void enter(State &state) {
    auto [it, isNew] = placeOf_.try_emplace(callStack(state), places_.size());
    if (isNew) {
      places_.emplace_back();
      index_.append();
    }
    Place &p = places_[it->second];
    positionOf_[&state] = {it->second, p.states.size()};
    p.states.push_back(&state);
    if (p.states.size() == 1) {
      p.near = nearness(state);
      reweigh(it->second);
    }
  }
  void leave(State &state) {
    auto it = positionOf_.find(&state);
    const Position where = it->second;
    positionOf_.erase(it);
    Place &p = places_[where.place];
    if (p.states.back() != &state) {
      p.states[where.at] = p.states.back();
      positionOf_[p.states[where.at]].at = where.at;
    }
    p.states.pop_back();
    if (p.states.empty()) reweigh(where.place);
  }
  static uint64_t callStack(const State &state) {
    uint64_t hash = 0;
    auto mix = [&](const void *at) {
      hash = (hash ^ reinterpret_cast<uintptr_t>(at)) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 29;
    };
    mix(state.position());
    if (const Pending *p = state.pending.get())
      hash += 1 + static_cast<uint64_t>(p->kind) + 16ull * p->attempts;
    unsigned calls = 0;
    for (const Frame *f = state.top; f && f->parent && calls < kCalls; f = f->parent, calls++)
      mix(f->parent->resume);
    return hash;
  }

  const Interpreter &interpreter_;
  Rng &rng_;
  IsTarget isTarget_;
  bool moving_;
  DistanceMap distance_;
  StayNear near_; ///< at places with many states
  std::vector<Place> places_;
  WeightedIndex index_;
  std::unordered_map<uint64_t, size_t> placeOf_;
  llvm::DenseMap<State *, Position> positionOf_;
  uint64_t coverageSeen_ = ~uint64_t(0), refreshAt_ = 0;
  uint64_t turns_ = 0; ///< since distances were computed
};
} // namespace

std::unique_ptr<Searcher> makeNearestPlace(const SearcherOptions &options, IsTarget isTarget,
                                           bool movingTargets) {
  return std::make_unique<DistanceSearcher>(options.interpreter, options.rng, std::move(isTarget),
                                            movingTargets);
}

} // namespace fathom::explore
