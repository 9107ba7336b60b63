// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Hops.h"

#include <algorithm>

#include <fmt/format.h>

namespace fathom::statics {

static void endsOfPhi(const View &view, const Statement &phi, FlowNode from,
                      std::vector<WayEnd> &out) {
  const auto operands = view.facts.operandsOf(phi);
  for (uint32_t i = 0; i < operands.size(); i++)
    if (operands[i] == from)
      out.push_back(WayEnd::edge(view.facts.incoming[phi.extra + i], phi.block));
}

static std::vector<WayEnd> endsAtVersion(const View &view, FlowNode from, FlowNode to) {
  const FunctionId f = view.flow.functionOf(to);
  const Version &v = view.flow.version(to);
  const MemorySsa &ssa = view.flow.memory(f);
  if (v.kind == VersionKind::Chi) return {WayEnd::at(v.at)};
  if (v.kind == VersionKind::Exit) return {WayEnd::returns()};
  if (v.kind != VersionKind::Phi) return {};
  std::vector<WayEnd> out;
  const BlockId first = view.facts.functions[f].firstBlock;
  const std::vector<uint32_t> previous = const_cast<View &>(view).ways(f).previous(v.at);
  for (uint32_t i = 0; i < v.numOperands && i < previous.size(); i++)
    if (const VersionId operand = ssa.operands[v.firstOperand + i];
        operand != kNone && view.flow.ofVersion(f, operand) == from)
      out.push_back(WayEnd::edge(first + previous[i], first + v.at));
  return out;
}

std::vector<WayEnd> endsOfEdge(const View &view, FlowNode from, FlowNode to, FlowKind kind,
                               uint32_t call) {
  const ValueFlow &flow = view.flow;
  if (kind == FlowKind::Call) return {WayEnd::at(view.facts.calls[call].statement)};
  if (kind == FlowKind::Return) return {WayEnd::returns()};
  if (flow.isTransfer(to)) return {WayEnd::at(flow.definition(to))};
  if (!flow.isValue(to)) return endsAtVersion(view, from, to);
  const StatementId at = flow.definition(to);
  if (at == kNone) return {WayEnd::returns()}; // what the function returns
  const Statement &s = view.facts.statements[at];
  if (!isPhi(s)) return {WayEnd::at(at)};
  std::vector<WayEnd> out;
  endsOfPhi(view, s, from, out);
  return out;
}

bool reachesEdge(const View &view, const Reach &reach, FlowNode from, FlowNode to, FlowKind kind,
                 uint32_t call) {
  const std::vector<WayEnd> ends = endsOfEdge(view, from, to, kind, call);
  return std::ranges::any_of(ends, [&](const WayEnd &end) { return reach.has(end); });
}

WayBars barsOf(const View &view, FlowNode node) {
  const ValueFlow &flow = view.flow;
  WayBars bars;
  const StatementId at = flow.definition(node);
  if (at != kNone) {
    const Statement &s = view.facts.statements[at];
    if (isPhi(s))
      bars.blocks.push_back(s.block);
    else
      bars.statement = [at](StatementId s) { return s == at; };
  } else if (!flow.isValue(node) && !flow.isTransfer(node)) {
    const Version &v = flow.version(node);
    if (v.kind == VersionKind::Phi)
      bars.blocks.push_back(view.facts.functions[flow.functionOf(node)].firstBlock + v.at);
  }
  return bars;
}

void addSteps(const View &view, const FlowSearch &search, uint32_t state, const std::string &what,
              std::vector<ReportStep> &steps) {
  const ValueFlow &flow = view.flow;
  uint32_t previousLine = steps.empty() ? 0 : steps.back().line;
  const auto add = [&](StatementId at, std::string text, StepRole role = StepRole::PassesOn) {
    ReportStep step = view.step(at, role, std::move(text));
    if (!steps.empty() && step.line == previousLine && steps.back().text == step.text) return;
    previousLine = step.line;
    steps.push_back(std::move(step));
  };
  for (const uint32_t id : search.path(state)) {
    const FlowSearch::State &s = search[id];
    if (s.kind == FlowKind::Call) {
      const CallSite &site = view.facts.calls[s.call];
      if (flow.isValue(s.node))
        add(site.statement, fmt::format("{} is passed to {}", what,
                                        view.facts.functions[flow.functionOf(s.node)].shownName));
      else
        add(site.statement,
            fmt::format("{} is called, with {} in memory",
                        view.facts.functions[flow.functionOf(s.node)].shownName, what));
      continue;
    }
    if (s.kind == FlowKind::Return) {
      if (flow.isValue(s.node))
        add(view.facts.calls[s.call].statement, fmt::format("{} comes back from the call", what),
            StepRole::Returns);
      continue;
    }
    const StatementId at = flow.definition(s.node);
    const bool begins = s.previous == FlowSearch::kNoState;
    if (at == kNone || (begins && !s.isBehind)) continue;
    const Statement &statement = view.facts.statements[at];
    const bool fromValue = begins || flow.isValue(search[s.previous].node);
    if (statement.kind == StatementKind::Store && fromValue)
      add(at, fmt::format("{} is stored", what));
    else if (statement.kind == StatementKind::Load)
      add(at, fmt::format("{} is read from memory", what));
    else if (flow.isTransfer(s.node))
      add(at, fmt::format("{} is copied with the memory it is in", what));
  }
}

void forEachConstantInto(const View &view, FlowNode node, uint32_t call,
                         const std::function<void(StatementId, ValueId)> &visit) {
  const Facts &facts = view.facts;
  const FunctionId f = view.flow.functionOf(node);
  const StatementId definition = view.flow.definition(node);
  if (definition != kNone) {
    const Statement &s = facts.statements[definition];
    if (s.kind == StatementKind::Address) visit(definition, node);
    const auto operands = facts.operandsOf(s);
    if (s.kind == StatementKind::Store && operands.size() > 1) visit(definition, operands[1]);
    if (s.kind == StatementKind::Copy)
      for (const ValueId operand : operands)
        if (facts.values[operand].function == kNone) visit(definition, operand);
    if (s.kind == StatementKind::Gep && facts.values[operands[0]].function == kNone)
      visit(definition, operands[0]);
    return;
  }
  if (!view.flow.isValue(node) || f == kNone) return;
  const Function &function = facts.functions[f];
  const auto parameter = std::find(function.parameters.begin(), function.parameters.end(), node);
  if (parameter != function.parameters.end()) {
    const auto i = static_cast<uint32_t>(parameter - function.parameters.begin());
    for (const uint32_t caller : view.callers(f)) {
      if (call != kNone && caller != call) continue;
      const Statement &s = facts.statements[facts.calls[caller].statement];
      if (i < s.numOperands && facts.values[facts.operandsOf(s)[i]].function == kNone)
        visit(facts.calls[caller].statement, facts.operandsOf(s)[i]);
    }
  } else if (node == function.returned) {
    for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; b++) {
      const StatementId last = facts.blocks[b].last();
      if (last != kNone && facts.statements[last].kind == StatementKind::Return &&
          facts.statements[last].numOperands)
        visit(last, facts.operandsOf(facts.statements[last])[0]);
    }
  }
}

} // namespace fathom::statics
