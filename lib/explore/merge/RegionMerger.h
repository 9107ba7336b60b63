// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the states that came out of a region: groups them by exit, and makes one state for each
// part of a group that has a pattern, and for the rest of it.
//
// Source: [merging23] Sec. 3; the fallback and --merge cfg are its "smopt" mode.
#ifndef FATHOM_EXPLORE_MERGE_REGIONMERGER_H
#define FATHOM_EXPLORE_MERGE_REGIONMERGER_H

#include "explore/merge/MergeContext.h"
#include "explore/merge/Region.h"
#include "patterns/RegularPattern.h"

#include <memory>
#include <span>
#include <vector>

namespace fathom::explore {

class RegionMerger {
public:
  using States = std::vector<std::unique_ptr<State>>;
  struct Place {
    uint32_t loop;
    bool isMarked; ///< a region between markers: it is merged in any case
    bool joins;    ///< its rounds were joined
  };
  /// region: whole. root: the state that came to it.
  RegionMerger(Engine &engine, MergeContext &context, const State &root, Region &region,
               const Place &place)
      : engine_(engine), context_(context), root_(root), region_(region), place_(place) {}

  /// The merged states, with their logs. Leaves that became a part of one are gone from the region;
  /// the others are still there.
  States merge();

  /// Is there an exit with a pattern, as far as the loop was explored? With few leaves this is
  /// unknown; with many states and few leaves, the loop has none.
  static bool looksRegular(const Region &region);

private:
  /// Leaves that came out at one place and can be one state: their indices.
  using Members = std::vector<size_t>;

  /// Can the region be merged? False if a fork has no condition, or if the options ask for sizes
  /// and no condition depends on one.
  bool isMergeable() const;
  std::vector<Members> groups() const; ///< in the order in which the first of each came out
  /// Does a condition of the loop depend on a symbolic size, on what a block of one holds, or on an
  /// earlier counter?
  bool dependsOnSize() const;
  bool mergesIrregular() const { return place_.isMarked || !context_.options.leavesIrregular(); }
  /// Merges members by their patterns. False: they have to be merged in the ordinary way.
  bool mergePatterns(const Members &members);
  bool mergePattern(const patterns::RegularGroup &group, const Members &members);
  /// Merges members along the tree. If that is impossible, the leaves stay as they are.
  void mergeByTree(const Members &members);
  std::vector<const State *> statesOf(const Members &members) const;
  std::vector<patterns::NodeId> nodesOf(const Members &members) const;
  /// Begins a state for them, of which the last has come furthest.
  std::unique_ptr<State> begin(std::span<const State *const> states);
  /// Counts the merged state, checks it, and takes its members out of the region.
  void finish(std::unique_ptr<State> into, const Members &members, Merged what);
  /// What holds on the leaf's path beyond the root's.
  ExprPtr conditionOf(patterns::NodeId leaf) const;
  /// Notes what distinguishes the paths, while MergeBenefit.h still needs it.
  void remember(State &into, ExprPtr counter, std::span<const patterns::NodeId> nodes) const;
  void logMerged();

  Engine &engine_;
  MergeContext &context_;
  const State &root_;
  Region &region_;
  const Place place_;
  States merged_;
};

} // namespace fathom::explore
#endif
