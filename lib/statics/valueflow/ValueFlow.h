// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value-flow graph of the whole program ([satracer], Fig. 4): nodes are values and versions of
// memory, and an edge says that one's content may become, or be part of, another's. Edges into and
// out of functions carry their call.
#ifndef FATHOM_STATICS_VALUEFLOW_VALUEFLOW_H
#define FATHOM_STATICS_VALUEFLOW_VALUEFLOW_H

#include "statics/valueflow/FlowGraph.h"
#include "statics/valueflow/MemorySsa.h"
#include "statics/valueflow/Reachability.h"

#include <atomic>
#include <string>

namespace fathom::statics {

/// Constants have no edges: which statement has which constant as an operand is in the facts.
///
/// Guarantee: over-approximates def-use pairs of every execution, like PointsTo.
class ValueFlow {
public:
  ValueFlow(PointsTo &pts, const ModRef &modRef) : pts(pts), facts(pts.facts), modRef(modRef) {}
  /// False when `stop` ended it: then functions have no memory, and edges are missing.
  bool build(const std::atomic<bool> &stop);

  /// REQUIRES: build().
  const FlowGraph &graph() const { return graph_; }
  std::span<const FlowEdge> successors(FlowNode node) const { return graph_.successors(node); }
  std::span<const FlowEdge> predecessors(FlowNode node) const { return graph_.predecessors(node); }

  FlowNode ofValue(ValueId value) const { return value; }
  FlowNode ofVersion(FunctionId function, VersionId version) const {
    return versionBase_[function] + version;
  }
  bool isValue(FlowNode node) const { return node < facts.values.size(); }
  /// What summaries and code without a body do with memory, in between.
  bool isTransfer(FlowNode node) const { return node >= transferBase_; }
  /// kNone: a constant.
  FunctionId functionOf(FlowNode node) const;
  /// REQUIRES: neither value nor transfer.
  const Version &version(FlowNode node) const;
  /// The statement that defines it; kNone: parameters, φs, entries and exits.
  StatementId definition(FlowNode node) const;
  const MemorySsa &memory(FunctionId function) const { return memory_[function]; }
  bool hasMemory(FunctionId function) const { return versionBase_[function] != kNone; }
  std::string text(FlowNode node) const;

  PointsTo &pts;
  const Facts &facts;
  const ModRef &modRef;

private:
  struct Overlap {
    RegionId caller, callee;
  };
  void add(FlowNode from, FlowNode to, FlowKind kind = FlowKind::Direct, uint32_t call = 0);
  void addValue(ValueId from, FlowNode to, FlowKind kind = FlowKind::Direct, uint32_t call = 0);
  void addFunction(FunctionId function);
  void addStatement(FunctionId function, StatementId id);
  void addCall(FunctionId function, StatementId id);
  void addCallee(FunctionId caller, StatementId id, FunctionId callee);
  void addTransfer(FunctionId function, StatementId id, const Summary *summary);
  const std::vector<Overlap> &overlaps(FunctionId caller, FunctionId callee);

  std::vector<MemorySsa> memory_;
  std::vector<FlowNode> versionBase_; ///< kNone: no versions
  std::vector<FunctionId> bySsa_;     ///< functions with versions, ascending bases
  FlowNode transferBase_ = 0;
  std::vector<StatementId> transfers_;
  uint32_t numNodes_ = 0;
  FlowGraph graph_;
  std::vector<FlowGraph::Raw> raw_;
  // While building, of one caller.
  std::vector<RegionId> regionAt_;
  std::unordered_map<FunctionId, std::vector<Overlap>> overlaps_;
};

std::string printValueFlow(const ValueFlow &flow, FunctionId function);
/// What the function may write and read, and where what comes in with its parameters and memory
/// leaves it: the summary edges of [satracer], Fig. 5, without their calls. `forward` is over the
/// flow's graph.
std::string printSummaries(const ValueFlow &flow, Reachability &forward, FunctionId function);

} // namespace fathom::statics
#endif
