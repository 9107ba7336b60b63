// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose states are merged. A state that comes to such a loop explores it as a region
// (Region.h); the states that come out are grouped by exit, and a group becomes one state: with a
// quantified path condition where its paths have a regular pattern, or else with one that follows
// the tree.
//
// Between two markers (fathom_open_merge and fathom_close_merge, or KLEE's) is such a region, too;
// it is merged in any case.
//
// A merged state's log is that of the root and one record: which region of the path this is, and
// which of its groups. A replay of that log explores the region again. In the log of a state that
// was not merged, a record says that the region was explored in vain: a copy that is parked where
// two logs part must not have gone beyond the region's beginning (PathReplayer.h).
//
// Source: [merging23] Sec. 3; the fallback and --merge cfg are its "smopt" mode.
#ifndef FATHOM_EXPLORE_MERGE_MERGEPOLICY_H
#define FATHOM_EXPLORE_MERGE_MERGEPOLICY_H

#include "explore/merge/KnownCounters.h"
#include "explore/merge/MergeContext.h"
#include "explore/merge/MergeLoops.h"
#include "explore/merge/Region.h"
#include "explore/policy/Policy.h"
#include "program/SteeringSlots.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

class MergePolicy final : public Policy {
public:
  explicit MergePolicy(MergeOptions options) : context_(std::move(options)) {}
  std::vector<PointSite> points(const program::Program &program) const override;
  Answer at(Engine &engine, State &s) override;
  bool keepsDecisions() const override { return true; }
  bool keepsUnsimplifiedTerms() const override { return true; }
  void decided(Engine &engine, State &s, const Decision &decision) override {
    if (!inside_ && s.counters.size()) known_.decided(engine, s, decision);
  }
  bool watchesEnds() const override { return context_.options.asksForBenefit(); }
  void ended(Engine &engine, State &s) override { context_.benefit.ended(engine, s); }

private:
  using States = std::vector<std::unique_ptr<State>>;
  /// What this run knows of a loop.
  struct Seen {
    /// program/SteeringSlots.h; found when the loop is explored first.
    std::optional<llvm::BitVector> steering;
    bool joins = true;       ///< rounds are joined: it was not in vain
    uint64_t apart = 0;      ///< states at the header, in first explorations that joined none
    bool isTooLarge = false; ///< a limit was reached: it is not explored as a region again
    /// Regions in which the loop went several ways, and those of them that merged something.
    uint32_t forked = 0, useful = 0;
    bool isVain = false; ///< merging does not pay: it is not explored as a region again
    bool isLeft() const { return isTooLarge || isVain; }
  };
  /// The region that is being explored.
  struct Inside {
    uint32_t loop;
    uint64_t serial; ///< of the activation that it is of
    bool joins;      ///< its rounds
  };

  /// A state within the region that is being explored: has it come out, or to the next round?
  bool hasArrived(State &s, uint32_t inst, const MergeSite &site) const;
  bool leavesMarked(State &s, MergeMark mark) const;
  /// A state outside of regions comes to one.
  Answer enter(Engine &engine, State &s, uint32_t loop);
  /// Does merging not pay at this loop? Says so the first time.
  bool isVain(Engine &engine, const State &s, uint32_t loop);
  const llvm::BitVector &steering(Engine &engine, uint32_t loop);
  Answer explore(Engine &engine, State &s, uint32_t loop, bool joins);
  /// A first exploration, from which `rounds` learns.
  Region::Result tryRounds(Engine &engine, const State &s, HeaderJoin &rounds);
  Region::Result exploreWhole(Engine &engine, Region &region);
  /// Prepares the exploration of the region that inside_ describes.
  void prepare(Engine &engine, Region &region, HeaderJoin &rounds, bool isTrial) const;
  RegionLimits limits(const Engine &engine) const;
  /// Counts what an exploration joined, and explains it.
  void tellJoins(Engine &engine, const State &s, const HeaderJoin &rounds) const;
  /// The state becomes one of those that came out, or waits; the others are its successors.
  Answer goOn(Engine &engine, State &s, Region &region, States &merged);
  Answer follow(Engine &engine, State &s, States &merged);

  MergeContext context_;
  mutable MergeLoops loops_;                ///< found by points()
  std::unordered_map<uint32_t, Seen> seen_; ///< by loop; looked up only
  KnownCounters known_;
  std::optional<Inside> inside_;
};

} // namespace fathom::explore
#endif
