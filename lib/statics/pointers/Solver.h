// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least solution of inclusion constraints [andersen], by waves [wave-propagation]: cycles of
// copies become one node, differences of sets run once through the rest in topological order, and
// then loads, stores and calls add the copies that the new members ask for. Departs: moves of
// pointers run with the wave, for they carry most pointers through lists and trees; and cycles are
// looked for only when enough copies were added.
#ifndef FATHOM_STATICS_POINTERS_SOLVER_H
#define FATHOM_STATICS_POINTERS_SOLVER_H

#include "statics/pointers/Constraints.h"
#include "statics/pointers/SparseBits.h"

#include <atomic>

namespace fathom::statics {

struct SolverStats {
  uint32_t nodes = 0, merged = 0, waves = 0;
  uint64_t copies = 0;
};

class Solver {
public:
  /// \param source  outlives the solver.
  explicit Solver(ConstraintSource &source) : source_(source) {}

  /// False when `stop` became true: then sets are too small.
  /// Determinism: the result does not depend on the order of anything; so does not its cost.
  bool solve(const std::atomic<bool> &stop);
  const SparseBits &pointsTo(NodeId node) const { return pts_[find(node)]; }
  SolverStats stats() const;

private:
  struct Complex { ///< what waits for members of a node's set
    std::vector<NodeId> loads, stores;
    std::vector<std::pair<NodeId, uint32_t>> geps;
    std::vector<uint32_t> calls;
    bool isEmpty() const { return loads.empty() && stores.empty() && calls.empty(); }
  };

  NodeId find(NodeId node) const;
  void grow();
  void activate(GroupId group);
  void apply(const Constraints &group);
  void addMember(NodeId node, LocationId location);
  void addCopy(NodeId to, NodeId from);
  void addGep(NodeId from, NodeId to, uint32_t by, const SparseBits &members);
  void prepareWave();
  void collapseCycles();
  void merge(NodeId into, NodeId node);
  void order();
  void runWave(const std::atomic<bool> &stop);
  void addCopiesFor(NodeId node, const SparseBits &members);
  NodeId readFrom(LocationId location);
  NodeId writeTo(LocationId location);

  ConstraintSource &source_;
  mutable std::vector<NodeId> parent_;
  std::vector<SparseBits> pts_, fresh_;
  std::vector<std::vector<NodeId>> copies_; ///< ascending
  std::vector<uint32_t> complexAt_;         ///< index into complex_; kNone: nothing waits
  std::vector<Complex> complex_;
  std::vector<Constraints::Call> calls_;
  std::vector<SparseBits> called_; ///< what each call was bound to
  std::vector<bool> active_;       ///< groups
  std::vector<GroupId> activating_;
  std::vector<uint8_t> anywhere_; ///< of each object: read (1), written (2) anywhere
  std::vector<NodeId> order_;
  std::vector<std::pair<NodeId, SparseBits>> waiting_;
  uint64_t numCopies_ = 0, addedCopies_ = 0;
  uint32_t waves_ = 0, merged_ = 0;
  bool changed_ = false;

  Complex &complexOf(NodeId node);
};

} // namespace fathom::statics
#endif
