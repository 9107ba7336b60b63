// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory SSA and value flow as text, for people and tests.
#include "statics/pointers/Print.h"

#include "statics/valueflow/ValueFlow.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::statics {

namespace {

/// A region by its only location or by its number.
std::string regionText(const PointsTo &pts, const MemorySsa &ssa, RegionId r) {
  const SparseBits &set = pts.sets[ssa.regions[r]];
  return set.count() == 1 ? pts.text(set.first()) : "R" + std::to_string(r);
}

std::string versionText(const PointsTo &pts, const MemorySsa &ssa, VersionId v) {
  if (v == kNone) return "-";
  return fmt::format("{}#{}", regionText(pts, ssa, ssa.versions[v].region), v);
}

const char *kindText(StatementKind kind) {
  switch (kind) {
  case StatementKind::Address: return "address";
  case StatementKind::Copy: return "copy";
  case StatementKind::Load: return "load";
  case StatementKind::Store: return "store";
  case StatementKind::Gep: return "move";
  case StatementKind::Call: return "call";
  case StatementKind::Return: return "return";
  case StatementKind::Arithmetic: return "arithmetic";
  case StatementKind::Compare: return "compare";
  case StatementKind::Branch: return "branch";
  }
  return "";
}

} // namespace

std::string printMemorySsa(const PointsTo &pts, const MemorySsa &ssa, FunctionId function) {
  const Facts &facts = pts.facts;
  const Function &f = facts.functions[function];
  std::string out = fmt::format("{} ({})\n", f.name, facts.placeText(f.place));
  for (RegionId r = 0; r < ssa.regions.size(); r++)
    if (pts.sets[ssa.regions[r]].count() > 1)
      out += fmt::format("  R{} = {}\n", r, setText(pts, pts.sets[ssa.regions[r]]));
  auto operandsText = [&](const Version &v) {
    std::string text;
    for (uint32_t i = 0; i < v.numOperands; i++)
      text += (i ? ", " : "") + versionText(pts, ssa, ssa.operands[v.firstOperand + i]);
    return text;
  };
  for (uint32_t b = 0; b < f.numBlocks; b++) {
    const Block &block = facts.blocks[f.firstBlock + b];
    out += fmt::format("  block {}\n", b);
    for (VersionId v = 0; v < ssa.versions.size(); v++)
      if (ssa.versions[v].kind == VersionKind::Phi && ssa.versions[v].at == b)
        out += fmt::format("    {} := phi({})\n", versionText(pts, ssa, v),
                           operandsText(ssa.versions[v]));
    for (StatementId s = block.firstStatement; s < block.end(); s++) {
      const auto mus = ssa.musOf(s);
      const auto chis = ssa.chisOf(s);
      if (mus.empty() && chis.empty()) continue;
      out += fmt::format("    {}: {}\n", facts.placeText(facts.statements[s].place),
                         kindText(facts.statements[s].kind));
      for (const MemorySsa::Use &mu : mus)
        out += fmt::format("      mu({})\n", versionText(pts, ssa, mu.version));
      for (const VersionId chi : chis)
        out += fmt::format("      {} := {}({})\n", versionText(pts, ssa, chi),
                           ssa.versions[chi].isStrong ? "strong chi" : "chi",
                           versionText(pts, ssa, ssa.versions[chi].previous));
    }
  }
  for (const VersionId v : ssa.exits)
    out += fmt::format("  exit: {} := ({})\n", versionText(pts, ssa, v),
                       operandsText(ssa.versions[v]));
  return out;
}

std::string ValueFlow::text(FlowNode node) const {
  const FunctionId id = functionOf(node);
  if (id == kNone) return "constant";
  const Function &f = facts.functions[id];
  const StatementId at = definition(node);
  const std::string place =
      at == kNone ? f.name : f.name + "@" + facts.placeText(facts.statements[at].place);
  if (isTransfer(node)) return place + " copied";
  if (isValue(node)) {
    if (node == f.returned) return f.name + " returned";
    for (size_t i = 0; i < f.parameters.size(); i++)
      if (f.parameters[i] == node) return fmt::format("{} parameter {}", f.name, i);
    return fmt::format("{} %{}{}", place, node - f.firstValue,
                       at == kNone ? "" : std::string(" ") + kindText(facts.statements[at].kind));
  }
  const Version &v = version(node);
  static constexpr const char *kKinds[] = {"entry", "phi", "chi", "exit"};
  return fmt::format("{} {} {}", place, kKinds[static_cast<int>(v.kind)],
                     versionText(pts, memory_[id], node - versionBase_[id]));
}

std::string printValueFlow(const ValueFlow &flow, FunctionId function) {
  const Facts &facts = flow.facts;
  const Function &f = facts.functions[function];
  std::string out = fmt::format("{} ({})\n", f.name, facts.placeText(f.place));
  auto node = [&](FlowNode n) {
    for (const FlowEdge &e : flow.successors(n)) {
      std::string kind;
      if (e.kind() == FlowKind::Derived) kind = " [computed]";
      if (e.kind() == FlowKind::Call || e.kind() == FlowKind::Return)
        kind =
            fmt::format(" [{} at {}]", e.kind() == FlowKind::Call ? "call" : "return",
                        facts.placeText(facts.statements[facts.calls[e.call()].statement].place));
      out += fmt::format("  {} -> {}{}\n", flow.text(n), flow.text(e.to), kind);
    }
  };
  for (ValueId v = f.firstValue; v < f.firstValue + f.numValues; v++) node(flow.ofValue(v));
  for (VersionId v = 0; v < flow.memory(function).versions.size(); v++)
    node(flow.ofVersion(function, v));
  return out;
}

std::string printSummaries(const ValueFlow &flow, Reachability &forward, FunctionId function) {
  const Facts &facts = flow.facts;
  const Function &f = facts.functions[function];
  const MemorySsa &ssa = flow.memory(function);
  std::string out =
      fmt::format("{} ({})\n  may write {}\n  may read {}\n", f.name, facts.placeText(f.place),
                  setText(flow.pts, flow.pts.sets[flow.modRef.mod(function)]),
                  setText(flow.pts, flow.pts.sets[flow.modRef.ref(function)]));
  auto shortText = [&](FlowNode node) {
    if (node == f.returned) return std::string("returned");
    if (flow.isValue(node)) {
      const auto at = std::find(f.parameters.begin(), f.parameters.end(), node);
      return fmt::format("parameter {}", at - f.parameters.begin());
    }
    return regionText(flow.pts, ssa, flow.version(node).region);
  };
  auto summary = [&](FlowNode entry) {
    std::vector<FlowNode> exits;
    for (const FlowNode exit : forward.exitsOf(entry))
      if (flow.functionOf(exit) == function) exits.push_back(exit);
    std::sort(exits.begin(), exits.end());
    std::string text;
    for (const FlowNode exit : exits) text += (text.empty() ? "" : ", ") + shortText(exit);
    if (!text.empty()) out += fmt::format("  {} -> {}\n", shortText(entry), text);
  };
  for (const ValueId parameter : f.parameters) summary(flow.ofValue(parameter));
  for (RegionId r = 0; r < ssa.regions.size(); r++) summary(flow.ofVersion(function, r));
  return out;
}

} // namespace fathom::statics
