// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least solution of inclusion constraints [andersen], by waves [wave-propagation]: cycles of
// copies become one node, differences of sets run once through the rest in topological order, and
// then loads, stores and calls add the copies that the new members ask for. Departs: moves of
// pointers run with the wave, for they carry most pointers through lists and trees; and cycles are
// looked for only when enough copies were added.
//
// Two things keep the number of copies small where many pointers have large sets:
// - All loads through one node read from one hub, and all stores through it write to another: n
//   loads through a node with m members are n + m copies, and not n * m.
// - Nodes that have one constraint only (Constraints.h) are equal to what it says [equivalences].
//   So all values that are read through one pointer are one node, all pointers that are moved
//   equally from one pointer are one, and what is read from a variable by its name is the variable.
//
// Where copies become many all the same, large sets have the contents of their members joined
// (joinContents): sets are then larger than the least solution.
//
// When nodes become one, what hangs on either gets only those members that it lacks (Merge.cpp).
#ifndef FATHOM_STATICS_POINTERS_SOLVER_H
#define FATHOM_STATICS_POINTERS_SOLVER_H

#include "statics/pointers/Constraints.h"
#include "statics/pointers/SparseBits.h"

#include <atomic>

namespace fathom::statics {

struct SolverStats {
  uint32_t nodes = 0, merged = 0, waves = 0;
  uint32_t contentsJoined = 0; ///< of locations: sets were too large to keep them apart
  uint64_t copies = 0;
  uint64_t steps = 0; ///< copies asked for, sets united, members moved
};

/// With more copies than so many for each node (and so many in all), sets of so many members have
/// their contents joined. Bash has 7 copies a node, sqlite 27; bison, without an end, more than 50.
struct SolverLimits {
  uint64_t copiesPerNode = 30, fewCopies = 1'000'000;
  size_t largeSet = 512;
};

class Solver {
public:
  /// \param source  outlives the solver.
  explicit Solver(ConstraintSource &source, const SolverLimits &limits = {})
      : source_(source), limits_(limits) {}

  /// False when `stop` became true: then sets are too small.
  /// Determinism: the result does not depend on the order of anything; so does not its cost.
  bool solve(const std::atomic<bool> &stop);
  const SparseBits &pointsTo(NodeId node) const { return pts_[find(node)]; }
  SolverStats stats() const;

private:
  struct Gep {
    NodeId to;
    uint32_t by;
    bool isSole;
  };
  struct Complex {         ///< what waits for members of a node's set
    NodeId reads = kNone;  ///< hub: all that is read through the node, and nothing else
    NodeId writes = kNone; ///< hub: all that is written through it
    std::vector<Gep> geps{};
    std::vector<uint32_t> calls{};
  };

  NodeId find(NodeId node) const;
  void grow();
  NodeId newNode();
  void activate(GroupId group);
  void apply(const Constraints &group);
  void addMember(NodeId node, LocationId location);
  void setOnly(NodeId node, LocationId location);
  void addCopy(NodeId to, NodeId from);
  void addGep(const Constraints::Gep &gep);
  void addLoad(const Constraints::Load &load, std::vector<NodeId> &again);
  void addStore(const Constraints::Store &store, std::vector<NodeId> &again);
  void uniteMoved(NodeId to, uint32_t by, const SparseBits &members);
  void handOn(NodeId node, SparseBits members, const Complex &served);

  void prepareWave();
  void runWave();
  void addCopiesFor(NodeId node, const SparseBits &members);
  void joinContents(NodeId node, const SparseBits &fresh);
  NodeId readFrom(LocationId location);
  NodeId writeTo(LocationId location);

  // Merge.cpp
  void merge(NodeId a, NodeId b);
  size_t numUsers(NodeId node) const;
  void mergeNow(NodeId into, NodeId node);
  void mergeSets(NodeId into, NodeId node);
  void mergeComplex(NodeId into, NodeId node);
  void collapseCycles();
  void order();

  /// Looked at in every step that takes long in a large program.
  bool isStopped() const { return *stop_; }

  ConstraintSource &source_;
  const SolverLimits limits_;
  const std::atomic<bool> *stop_ = nullptr; ///< while it solves
  mutable std::vector<NodeId> parent_;
  std::vector<SparseBits> pts_, fresh_;
  std::vector<std::vector<NodeId>> copies_; ///< ascending
  std::vector<LocationId> only_;            ///< all that the node ever points to; kNone: not known
  std::vector<NodeId> pointer_;             ///< of each location: a node with only this; or kNone
  std::vector<uint32_t> complexAt_;         ///< index into complex_; kNone: nothing waits
  std::vector<Complex> complex_;
  std::vector<Constraints::Call> calls_;
  std::vector<SparseBits> called_; ///< what each call was bound to
  /// Of a node whose members' contents were joined: them; kNone: they were not, or more came since.
  std::vector<NodeId> joinedAt_;
  std::vector<bool> active_; ///< groups
  std::vector<GroupId> activating_;
  std::vector<uint8_t> anywhere_; ///< of each object: read (1), written (2) anywhere
  std::vector<NodeId> order_;
  std::vector<std::pair<NodeId, SparseBits>> waiting_;
  std::vector<std::pair<NodeId, NodeId>> merging_;
  uint64_t numCopies_ = 0, addedCopies_ = 0, steps_ = 0;
  uint32_t waves_ = 0, merged_ = 0, contentsJoined_ = 0;
  uint32_t cleaned_ = 0;      ///< merged_ when copies_ were last made to name nodes that are left
  bool isCollapsing_ = false; ///< then copies_ are in no order
  bool changed_ = false;

  Complex &complexOf(NodeId node);
};

} // namespace fathom::statics
#endif
