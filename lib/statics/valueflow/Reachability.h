// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value goes and where it comes from, along paths on which each return goes back to the
// call through which the path came in.
//
// Context-free reachability by tabulation [rhs-tabulation]: what enters a function at a node leaves
// it at some nodes, which are the same for every caller. These are the summary edges of [satracer],
// Fig. 5; they are computed when a question first needs them, and kept. What goes through a
// function as memory only, never as a value, comes out as the memory it was, even where the
// function does not tell this memory from other memory that its caller knows apart. So each version
// of memory belongs to a *cell*, the memory that it is a version of (FlowGraph::cellOf), and a path
// that is memory only returns to the cell from which it entered the call.
#ifndef FATHOM_STATICS_VALUEFLOW_REACHABILITY_H
#define FATHOM_STATICS_VALUEFLOW_REACHABILITY_H

#include "statics/valueflow/FlowGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <atomic>
#include <unordered_map>

namespace fathom::statics {

enum class FlowDirection : uint8_t { Forward, Backward };

/// One step of a path.
struct FlowStep {
  enum Kind : uint8_t {
    Start,
    Direct,
    Call,
    Return,
    Summary, ///< through a call and back
  } kind = Start;
  FlowNode node;     ///< where the step leads
  uint32_t call = 0; ///< of the last three
};

/// Threads: one at a time, for answers are kept.
class Reachability {
public:
  /// \param derived  Are numbers that are computed from a value followed too?
  /// \param stop     Set: answers from then on are incomplete. It outlives *this.
  Reachability(const FlowGraph &graph, FlowDirection direction, bool derived = true,
               const std::atomic<bool> *stop = nullptr)
      : graph_(graph), isForward_(direction == FlowDirection::Forward), derived_(derived),
        stop_(stop) {}

  /// All nodes on realizable paths from (Backward: to) this node, itself included; ascending.
  /// Cost: O(nodes + edges) and the summaries that are not known yet.
  std::vector<FlowNode> from(FlowNode node);
  /// The same for a node inside of a function, of which is known through which call the path came
  /// in. REQUIRES: no version of memory.
  std::vector<FlowNode> fromInside(FlowNode node, uint32_t call);
  /// A realizable path with the fewest steps, beginning with `begin`; empty: there is none.
  /// Backward: from the use back to where it comes from.
  std::vector<FlowStep> path(FlowNode begin, FlowNode end);
  /// Where what enters a function at `entry` leaves it: nodes with edges that leave.
  std::vector<FlowNode> exitsOf(FlowNode entry);

private:
  struct Dependent {
    uint32_t entry;
    uint32_t call;
    uint32_t cell; ///< of the node before the call
    bool isMemory; ///< the path to it is memory only
  };
  struct Reached {
    FlowNode node;
    bool isMemory; ///< the whole path from the entry is versions of one memory
  };
  struct Entry {
    std::vector<Reached> exits;
    std::vector<Dependent> dependents;
  };
  struct Visit {
    FlowNode previous;
    bool previousEntered;
    FlowStep step;
  };
  using Visits = std::unordered_map<FlowNode, Visit>;

  std::span<const FlowEdge> edges(FlowNode node) const {
    return isForward_ ? graph_.successors(node) : graph_.predecessors(node);
  }
  bool isSkipped(const FlowEdge &e) const { return !derived_ && e.kind() == FlowKind::Derived; }
  bool enters(const FlowEdge &e) const {
    return e.kind() == (isForward_ ? FlowKind::Call : FlowKind::Return);
  }
  bool leaves(const FlowEdge &e) const {
    return e.kind() == (isForward_ ? FlowKind::Return : FlowKind::Call);
  }
  /// The number of the entry for paths that enter a function at `node`; made if it is not there.
  uint32_t entryAt(FlowNode node);
  void add(uint32_t entry, Reached reached);
  void tabulate();
  void process(uint32_t entry, Reached at);
  /// Calls visit(to) for where an exit leads at a call that was entered from memory `cell`.
  template <class Visit>
  void forEachReturn(Reached exit, uint32_t call, uint32_t cell, Visit &&visit) const {
    const FlowKind back = isForward_ ? FlowKind::Return : FlowKind::Call;
    for (const FlowEdge &out : FlowGraph::labelled(edges(exit.node), FlowEdge::labelOf(back, call)))
      if (!exit.isMemory || graph_.cellOf(out.to) == cell) visit(out.to);
  }
  /// As exitsOf, with duplicates, and whether each was reached as memory only.
  const std::vector<Reached> &exitsAt(FlowNode entry);
  /// Breadth first; [0]: before, [1]: after a call was entered that is not left.
  /// \param entered  `begin` is inside of a call that is not left.
  void search(FlowNode begin, FlowNode end, Visits (&visits)[2], bool entered = false);

  const FlowGraph &graph_;
  const bool isForward_, derived_;
  const std::atomic<bool> *const stop_;
  llvm::DenseMap<FlowNode, uint32_t> entryAt_;
  llvm::DenseSet<uint64_t> seen_; ///< entry, node, as memory: the largest thing here
  /// (inner entry, outer one, call and whether as memory, cell)
  llvm::DenseSet<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> knownDependents_;
  std::vector<Entry> entries_;
  std::vector<std::pair<uint32_t, Reached>> open_;
};

} // namespace fathom::statics
#endif
