// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incremental merging: states that come to the header of a loop and agree on all values that are
// read later become one state. Their paths become one disjunction, so a round that can go several
// ways is one round, and the loop has a regular pattern. Values that do not steer the loop
// (program/SteeringSlots.h) may differ: each becomes an if-then-else over the ways of the round.
//
// A state that went through the loop's code twice may be where another one went once, as where the
// loop tries the characters of a set one after the other. So states wait at the header, and the one
// with the least progress goes on. Registers that only grow, or only shrink, measure progress. A
// first exploration of some rounds finds these registers. If there are none, rounds are counted.
//
// Source: [merging23] Sec. 4. Departs: the order, which the paper leaves open; values that differ.
#ifndef FATHOM_EXPLORE_MERGE_HEADERJOIN_H
#define FATHOM_EXPLORE_MERGE_HEADERJOIN_H

#include "explore/decide/Engine.h"
#include "explore/merge/MergeCheck.h"
#include "explore/merge/RoundWays.h"
#include "explore/merge/StateJoin.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_set>
#include <vector>

namespace fathom::explore {

/// Why a state of a merged loop has a test: it was the first to cover something, and the test of
/// the state that it became a part of may take another way.
inline constexpr const char *kMergedAway = "partial: merged with other paths";

class HeaderJoin {
public:
  /// root: before the loop. steering: its registers that have to be the same.
  HeaderJoin(Engine &engine, const State &root, StateJoin &join, const llvm::BitVector &steering)
      : engine_(engine), root_(root), join_(join), steering_(steering) {}
  /// `check` is called with each join.
  void tell(std::function<void(const State &, const Merged &)> check) { check_ = std::move(check); }

  using States = std::vector<std::unique_ptr<State>>;
  /// Adds a state that is at the header. It comes from the state that went on last.
  void arrived(std::unique_ptr<State> state);
  bool isEmpty() const { return waiting_.empty(); }
  size_t size() const { return size_; }
  /// The state that goes on next, joined with all that are the same. REQUIRES: not empty.
  std::unique_ptr<State> next();
  /// Returns all waiting states, without a join.
  States takeAll();
  /// Did a join make this state, or one that it comes from? Its log does not lead to it.
  static bool wasJoined(const State &s, const State &root);

  /// A first exploration, of at most kTrial arrivals, tells which registers count.
  bool hasLearned() const { return arrivals_ >= kTrial; }
  /// Did two states of the first exploration look the same, at whatever times they came?
  bool canJoin() const { return canJoin_; }
  uint64_t arrivals() const { return arrivals_; } ///< of this exploration
  /// The joins of this exploration: states made from several, and by how many states that reduced
  /// their number.
  uint64_t joins() const { return joins_; }
  uint64_t joinedStates() const { return joinedStates_; }
  /// The exploration proper begins, with what was learned.
  void restart();

private:
  static constexpr uint64_t kTrial = 64;
  using Before = RoundWays::Before;
  struct Counter { ///< a register
    bool grows = true, shrinks = true;
    bool isProgress() const { return grows != shrinks; }
  };
  /// The values of registers that are read later and hold no terms.
  std::map<uint32_t, uint64_t> valuesOf(const State &s) const;
  uint64_t progressOf(const State &s) const;
  /// Joins the members. Null: they differ in something that cannot be an if-then-else (then the
  /// members are unchanged).
  std::unique_ptr<State> joined(States &members);
  bool joinValues(State &into, const RoundWays &ways, Merged &what) const;
  States takeSame(States &all, const llvm::BitVector *steering) const;
  /// The latest path and decisions that all members share.
  Before commonOf(const States &members) const;

  Engine &engine_;
  const State &root_;
  StateJoin &join_;
  const llvm::BitVector &steering_;
  std::function<void(const State &, const Merged &)> check_;
  std::map<uint64_t, States> waiting_; ///< by how far they have come
  size_t size_ = 0;
  std::map<uint32_t, Counter> counters_; ///< by slot
  bool isTrial_ = true, canJoin_ = false;
  std::unordered_set<uint64_t> signatures_; ///< of states that came in the first exploration
  uint64_t arrivals_ = 0, joins_ = 0, joinedStates_ = 0;
  std::map<uint32_t, uint64_t> last_; ///< values of the state that went on last; and of the first
  std::map<uint32_t, uint64_t> first_;
  uint64_t rounds_ = 0;         ///< of that one
  std::deque<Before> released_; ///< the newest first
};

} // namespace fathom::explore
#endif
