// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop explored from where one state comes in to where its successors come out: their execution
// tree. It is explored within one event of the state that came in, so no other component sees it
// half explored: a run that ends meanwhile keeps that state, before the loop.
//
// Source: [merging23] Sec. 2.
#ifndef FATHOM_EXPLORE_MERGE_REGION_H
#define FATHOM_EXPLORE_MERGE_REGION_H

#include "explore/decide/Engine.h"
#include "patterns/ExecutionTree.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fathom::explore {

class HeaderJoin;

struct RegionLimits {
  size_t maxStates = 10'000;
  uint64_t maxInstructions = 20'000'000;
  uint64_t maxPageBytes = 0; ///< so much more of the states' memory; 0: no limit
};

/// A state that came out.
struct RegionLeaf {
  std::unique_ptr<State> state;
  patterns::NodeId node = patterns::ExecutionTree::kRoot;
};

class Region {
public:
  /// root: before the loop; it is not changed.
  Region(Engine &engine, const State &root, const RegionLimits &limits)
      : engine_(engine), root_(root), limits_(limits), tree_(countersOf(root)) {}

  enum class Result : uint8_t {
    Whole,   ///< leaves() are all that goes on
    TooMany, ///< a limit was reached: leaves() and open() are
    Stopped  ///< the run is to end
  };
  /// States that come to `header` wait there, and join. isTrial: explores only as long as `joins`
  /// learns, and paths that end do not count.
  void joinAt(const program::Inst *header, HeaderJoin &joins, bool isTrial) {
    header_ = header;
    joins_ = &joins;
    isTrial_ = isTrial;
  }
  /// The logs of the region's states have this record at its beginning.
  void logAs(uint64_t record) { record_ = record; }
  /// Has the leaf's log no record since the region's beginning?
  bool isUneventful(const State &leaf) const;
  /// Called at 256 states, and whenever their number has doubled. False: the result is TooMany.
  void askWhether(std::function<bool(const Region &)> isRegular) {
    isRegular_ = std::move(isRegular);
  }
  /// Explores until nothing is left but leaves: states that set StepContext::hasArrived.
  Result explore();

  std::vector<RegionLeaf> &leaves() { return leaves_; }
  const std::vector<RegionLeaf> &leaves() const { return leaves_; }
  std::vector<std::unique_ptr<State>> &open() { return open_; }
  const std::vector<std::unique_ptr<State>> &open() const { return open_; }
  /// States that are neither leaves nor ended: open ones, and those that wait at the header.
  size_t unfinished() const;
  const patterns::ExecutionTree &tree() const { return tree_; } ///< when it is whole
  /// The tree of the leaves so far, and each one's node. O(conditions on their paths).
  patterns::ExecutionTree treeSoFar(std::vector<patterns::NodeId> &nodes) const;
  static expr::Counters countersOf(const State &s);
  /// The states are dropped: makes tests for what they were the first to cover.
  void leaveTests(const std::string &why);
  /// The same for one state. Only coverage that the state itself was the first to reach needs a
  /// test.
  static void leaveTest(Engine &engine, const State &root, State &s, const std::string &why);

private:
  bool mustStop() const;
  bool isTooLarge() const;
  Result run();
  Result giveUp();
  patterns::NodeId plant(patterns::ExecutionTree &tree, const State &leaf) const;

  Engine &engine_;
  const State &root_;
  RegionLimits limits_;
  patterns::ExecutionTree tree_;
  const program::Inst *header_ = nullptr;
  HeaderJoin *joins_ = nullptr;
  bool isTrial_ = false;
  uint64_t until_ = 0;     ///< Interpreter::instructions
  uint64_t pagesThen_ = 0; ///< Memory::pageBytes at the beginning
  uint64_t bugsThen_ = 0;
  std::optional<uint64_t> record_;
  size_t begins_ = 0; ///< bytes of the log at its beginning
  std::function<bool(const Region &)> isRegular_;
  size_t nextCheck_ = 256;
  std::vector<RegionLeaf> leaves_;
  std::vector<std::unique_ptr<State>> open_; ///< the last is run first
};

} // namespace fathom::explore
#endif
