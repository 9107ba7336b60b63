// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a state is from instructions of interest, in instructions, over the whole program:
// through calls, and back through the activations that are on its stack.
//
// Nodes are straight pieces of code (from a jump target or a call's continuation to the next
// control transfer). A call is an edge into the callee, and an edge past the call that costs the
// callee's shortest way to a return. Distances to the targets are those of a shortest-path search
// on the reversed graph: O(E log V) for each update.
//
// The graph is made anew for each search, so short searches of large programs feel its cost: the
// ways to returns are found function by function, callees first, and again only where a callee's
// became shorter.
//
// Source: the heuristic is KLEE's md2u (Cadar, Dunbar, Engler, OSDI 2008, Sec. 3.4), computed
// exactly on this graph.
#ifndef FATHOM_EXPLORE_SEARCH_DISTANCE_H
#define FATHOM_EXPLORE_SEARCH_DISTANCE_H

#include "explore/state/State.h"
#include "program/Code.h"

#include <functional>
#include <vector>

namespace fathom::explore {

class DistanceMap {
public:
  static constexpr uint32_t kFar = 1u << 30;

  explicit DistanceMap(const program::Program &program);
  /// Recomputes the distances to the nodes for which isTarget(function, first instruction, end)
  /// holds.
  void update(const std::function<bool(uint32_t function, uint32_t first, uint32_t end)> &isTarget);
  /// Distance of a state whose frames' positions are these; kFar when no target can be reached.
  uint32_t of(const State &state,
              const std::function<const program::Inst *(uint32_t)> &codeOf) const;

private:
  struct Node {
    uint32_t function, first, end;
  };
  struct Edge {
    uint32_t to, cost;
  };
  /// The edges of each node, one node after the other.
  struct Edges {
    std::vector<uint32_t> first; ///< by node, and one more
    std::vector<Edge> all;
    const Edge *begin(uint32_t node) const { return all.data() + first[node]; }
    const Edge *end(uint32_t node) const { return all.data() + first[node + 1]; }
  };
  void addNodes();
  Edges edgesInFunctions() const; ///< forwards, calls passed over where their cost is not known
  void findReturns(const Edges &inFunctions);
  bool shortenReturns(const program::FunctionCode &f, const Edges &inFunctions);
  void addPredecessors(const Edges &inFunctions);
  uint32_t length(uint32_t node) const { return nodes_[node].end - nodes_[node].first; }
  /// The piece after it is the one where it goes on. False: it is its function's last.
  bool goesOn(uint32_t node) const {
    return nodes_[node].end < program_.functions[nodes_[node].function].code.size();
  }
  uint32_t nodeAt(uint32_t function, uint32_t inst) const;
  void
  shortest(std::vector<uint32_t> &distance) const; ///< distance holds 0 at sources, kFar elsewhere

  const program::Program &program_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> firstNode_; ///< per function, and one more
  std::vector<uint32_t> callee_;    ///< per node: what a call at its end calls, or kNoIndex
  Edges predecessors_;              ///< edges reversed
  std::vector<uint32_t> toReturn_;  ///< per node: shortest way to a return of its function
  std::vector<uint32_t> callCost_;  ///< per function: that of its first node
  std::vector<uint32_t> distance_;  ///< per node: to the nearest target
};

} // namespace fathom::explore
#endif
