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
// which of its groups. Who follows that log explores the region again. In the log of a state that
// was not merged a record says that the region was explored in vain: where two logs part, nobody
// may have gone on beyond the region's beginning (Restorer.h).
//
// Source: [merging23] Sec. 3; the fallback and --merge cfg are its "smopt" mode.
#ifndef FATHOM_EXPLORE_MERGE_MERGEPOLICY_H
#define FATHOM_EXPLORE_MERGE_MERGEPOLICY_H

#include "explore/merge/HeaderJoin.h"
#include "explore/merge/KnownCounters.h"
#include "explore/merge/MergeBenefit.h"
#include "explore/merge/MergeCheck.h"
#include "explore/merge/Region.h"
#include "explore/merge/StateJoin.h"
#include "explore/policy/Policy.h"
#include "merge/RegularPattern.h"
#include "program/SteeringSlots.h"
#include "support/NameTable.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace fathom::explore {

enum class Merge : uint8_t { None, Cfg, Pattern };
inline constexpr auto kMergeNames =
    nameTable<Merge>({{"none", Merge::None}, {"cfg", Merge::Cfg}, {"pattern", Merge::Pattern}});

struct MergeOptions {
  Merge mode = Merge::None;
  /// FUNCTION or FUNCTION:LINE. A loop within another one of these is merged where that one is
  /// left. Empty: all outermost loops of own functions that call no others with loops.
  std::vector<std::string> at;
  bool explains = false; ///< says on standard error what was merged, and how
  bool checks = false;   ///< asks Z3 about each merge (MergeCheck.h)
  /// Only loops whose conditions depend on a symbolic size, or on a counter of an earlier merge; of
  /// all functions, those of libraries too.
  bool bySize = false;
  /// With patterns: states whose paths have none are merged along the tree. False: they stay as
  /// they are, and a loop that turns out to have none is left.
  bool mergesIrregular = true;
  /// Loops are left whose paths, once merged, are told apart again (MergeBenefit.h). Never those of
  /// `at`, nor marked regions.
  bool leavesVain = true;
  bool incremental = true; ///< with patterns: states that are the same after a round join
  bool joinsRounds() const { return mode == Merge::Pattern && incremental; }
  RegionLimits limits;
};

class MergePolicy final : public Policy {
public:
  explicit MergePolicy(MergeOptions options) : options_(std::move(options)) {}
  std::vector<PointSite> points(const program::Program &program) const override;
  Answer at(Engine &engine, State &s) override;
  bool keepsDecisions() const override { return true; }
  bool keepsLiterals() const override { return true; }
  void decided(Engine &engine, State &s, const Decision &decision) override {
    if (inside_ == kNone && s.counters.size()) known_.decided(engine, s, decision);
  }
  bool watchesEnds() const override { return leavesVain(); }
  void ended(Engine &engine, State &s) override { benefit_.ended(engine, s); }

private:
  static constexpr uint32_t kNone = ~0u;
  /// A loop, or what begins with a marker.
  struct Loop {
    uint32_t function;
    uint32_t line;            ///< of its header; 0: not known
    uint32_t header;          ///< its first instruction; the call of the marker
    uint32_t outer = kNone;   ///< the next loop around it that is one of these
    std::set<uint32_t> exits; ///< the first instructions behind it
    /// program/SteeringSlots.h; found when the loop is explored first.
    std::optional<llvm::BitVector> steering;
    bool joins = true;       ///< rounds are joined: it was not in vain
    uint32_t apart = 0;      ///< first explorations in which no two states were the same
    bool isTooLarge = false; ///< a limit was reached: it is not explored as a region again
    bool isMarked = false;
    /// Regions in which the loop went several ways, and those of them that merged something.
    uint32_t forked = 0, useful = 0;
    bool isVain = false; ///< merging does not pay: it is not explored as a region again
    bool isLeft() const { return isTooLarge || isVain; }
  };
  /// What a marker's instruction is to a region between markers. Leave: a return of the function
  /// that opened it, where it closes it as well.
  enum class Mark : uint8_t { None, Open, Close, Leave };
  struct Site {
    uint32_t enters = kNone; ///< the loop that comes next
    Mark mark = Mark::None;
    uint32_t opens = kNone; ///< the region that the marker opens
  };
  using Members = std::vector<size_t>; ///< of a group: indices of the region's leaves
  using States = std::vector<std::unique_ptr<State>>;
  static uint64_t key(uint32_t function, uint32_t inst) { return uint64_t(function) << 32 | inst; }
  bool isWanted(const program::Program &program, const program::FunctionCode &f,
                const program::CodeFlow &flow, const program::CodeLoop &loop, uint32_t line) const;
  bool isBounded(const program::Program &program, uint32_t function) const;
  bool callsAreBounded(const program::Program &program, const program::FunctionCode &f,
                       uint32_t first, uint32_t last) const;

  void addLoop(const program::FunctionCode &f, const program::CodeFlow &flow,
               const program::CodeLoop &loop, uint32_t line, uint32_t outer) const;
  bool hasMarker(const program::FunctionCode &f, uint32_t first, uint32_t last) const;
  void findMarkers(const program::Program &program) const;
  /// A state outside of regions that comes to a marker.
  Answer atMarker(Engine &engine, State &s, const Site &site);
  /// One within a region between markers: has it come out?
  bool leavesMarked(State &s, const Site &site) const;
  /// A state outside of regions that comes to one.
  Answer enter(Engine &engine, State &s, uint32_t loop);
  /// What a log says first of a region: where it is on the path and of which loop, in 24 bits, and
  /// what became of it. A loop that was left, or passed without a decision, has no record: so the
  /// next record must not look like its own.
  enum class Explored : uint8_t { InVain, Plainly, WithJoins };
  static uint64_t recordOf(const State &root, uint32_t loop, Explored how);
  Answer explore(Engine &engine, State &s, uint32_t loop, bool joins);
  const llvm::BitVector &steering(Engine &engine, Loop &loop) const;
  Answer follow(Engine &engine, State &s, States &merged);
  static bool looksRegular(const Region &region);
  States group(Engine &engine, const State &root, Region &region);
  /// False: they are to be merged in the ordinary way.
  bool mergePatterns(Engine &engine, const State &root, Region &region, const Members &members,
                     States &merged);
  bool mergePattern(Engine &engine, const State &root, Region &region,
                    const merge::RegularGroup &group, const Members &members, States &merged);
  /// Where they cannot be merged the leaves stay as they are.
  void mergeByTree(Engine &engine, const State &root, Region &region, const Members &members,
                   States &merged);
  std::unique_ptr<State> begin(Engine &engine, const State &root,
                               std::span<const State *const> states, const State &like);
  /// Does a condition of the loop depend on a symbolic size, on what a block of one holds, or on an
  /// earlier counter?
  static bool dependsOnSize(Engine &engine, const State &root, const Region &region);
  /// What the paths of the loop that is being merged have of their own, as long as that is asked.
  void remember(Engine &engine, State &into, ExprPtr counter, const Region &region,
                std::span<const merge::NodeId> nodes) const;
  bool leavesVain() const { return options_.leavesVain && options_.at.empty(); }
  /// Does merging not pay at this loop? Says so the first time.
  bool isVain(Engine &engine, const State &s, uint32_t loop);
  /// Counts it, and asks about it.
  void done(Engine &engine, const State &root, const Region &region, const Members &members,
            const State &into, Merged &what);
  void check(Engine &engine, const State &into, const Merged &what);
  static void take(Engine &engine, Region &region, const Members &members, State &into,
                   const State &root);
  ExprPtr counterFor(Engine &engine, const State &root, uint64_t most);
  StateJoin &join(Engine &engine);
  bool leavesIrregular() const {
    return options_.mode == Merge::Pattern && !options_.mergesIrregular && !isMarked_;
  }

  MergeOptions options_;
  mutable std::vector<Loop> loops_;                    ///< found by points()
  mutable std::unordered_map<uint64_t, Site> sites_;   ///< looked up only
  mutable std::unordered_map<uint32_t, bool> bounded_; ///< functions; looked up only
  std::unique_ptr<StateJoin> join_;
  std::unique_ptr<MergeCheck> check_;
  MergeBenefit benefit_;
  KnownCounters known_;
  std::map<std::pair<uint32_t, unsigned>, ExprPtr> counters_; ///< by number on the path, and bytes
  /// The region that is being explored, and the activation that it is of.
  uint32_t inside_ = kNone;
  bool joins_ = false;
  uint32_t loop_ = kNone; ///< the same; also while its states are merged, as the next
  bool isMarked_ = false;
  uint64_t serial_ = 0;
};

} // namespace fathom::explore
#endif
