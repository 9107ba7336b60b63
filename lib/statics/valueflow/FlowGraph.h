// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph whose edges may enter or leave functions at calls, in compressed rows for both
// directions.
#ifndef FATHOM_STATICS_VALUEFLOW_FLOWGRAPH_H
#define FATHOM_STATICS_VALUEFLOW_FLOWGRAPH_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fathom::statics {

using FlowNode = uint32_t;

enum class FlowKind : uint8_t {
  Direct,  ///< within a function
  Call,    ///< into the callee, at a call
  Return,  ///< out of it
  Derived, ///< within a function: not the value itself, but a number computed from it
};

struct FlowEdge {
  FlowNode to; ///< of a predecessor: where it comes from
  uint32_t label;
  FlowKind kind() const { return static_cast<FlowKind>(label & 3); }
  uint32_t call() const { return label >> 2; } ///< index into Facts::calls
  static uint32_t labelOf(FlowKind kind, uint32_t call) {
    return static_cast<uint32_t>(kind) | call << 2;
  }
};

class FlowGraph {
public:
  struct Raw {
    FlowNode from, to;
    uint32_t label;
  };
  FlowGraph() = default;
  /// Each edge once, whatever `raw` has. Cost: O(edges log edges).
  FlowGraph(uint32_t nodes, std::vector<Raw> raw);

  uint32_t numNodes() const { return static_cast<uint32_t>(first_[0].size()) - 1; }
  uint64_t numEdges() const { return edges_[0].size(); }
  /// Edges of a node, by label.
  std::span<const FlowEdge> successors(FlowNode node) const { return list(0, node); }
  std::span<const FlowEdge> predecessors(FlowNode node) const { return list(1, node); }
  /// Those of a node's edges that have this label.
  static std::span<const FlowEdge> labelled(std::span<const FlowEdge> row, uint32_t label);

  /// Versions of the same memory of a function have the same number; ~0: no version of memory.
  uint32_t cellOf(FlowNode node) const {
    return node < cells_.size() ? cells_[node] : ~uint32_t(0);
  }
  void setCells(std::vector<uint32_t> cells) { cells_ = std::move(cells); }

private:
  std::span<const FlowEdge> list(int side, FlowNode node) const {
    return {edges_[side].data() + first_[side][node], first_[side][node + 1] - first_[side][node]};
  }
  std::vector<FlowEdge> edges_[2];
  std::vector<uint32_t> first_[2] = {{0}, {0}};
  std::vector<uint32_t> cells_;
};

} // namespace fathom::statics
#endif
