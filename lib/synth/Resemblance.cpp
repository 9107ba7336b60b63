// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Resemblance.h"

#include <algorithm>
#include <set>

namespace fathom::synth {

namespace {

using CallGraph = std::vector<std::set<uint32_t>>;

/// Tarjan's strongly connected components; components are numbered callees first.
class Components {
public:
  explicit Components(const CallGraph &graph)
      : graph_(graph), of(graph.size(), UINT32_MAX), number_(graph.size()), low_(graph.size()) {
    for (uint32_t f = 0; f < graph.size(); ++f)
      if (!number_[f]) visit(f);
  }

private:
  const CallGraph &graph_;

public:
  std::vector<uint32_t> of; ///< by function
  uint32_t count = 0;

private:
  void visit(uint32_t f) {
    number_[f] = low_[f] = ++next_;
    stack_.push_back(f);
    for (uint32_t callee : graph_[f]) {
      if (!number_[callee]) visit(callee);
      if (of[callee] == UINT32_MAX) low_[f] = std::min(low_[f], low_[callee]);
    }
    if (low_[f] != number_[f]) return;
    for (bool more = true; more; stack_.pop_back()) {
      of[stack_.back()] = count;
      more = stack_.back() != f;
    }
    count++;
  }
  std::vector<uint32_t> number_, low_, stack_;
  uint32_t next_ = 0;
};

void measureCalls(const CallGraph &graph, Shape &shape) {
  shape.functions = graph.size();
  for (const auto &callees : graph) shape.calls += callees.size();
  Components components(graph);
  std::vector<uint64_t> size(components.count), longest(components.count, 1);
  std::vector<std::vector<uint32_t>> members(components.count);
  for (uint32_t f = 0; f < graph.size(); ++f) members[components.of[f]].push_back(f);
  for (uint32_t c = 0; c < components.count; ++c)
    for (uint32_t f : members[c])
      for (uint32_t callee : graph[f])
        if (components.of[callee] != c)
          longest[c] = std::max(longest[c], 1 + longest[components.of[callee]]);
  for (uint32_t f = 0; f < graph.size(); ++f)
    shape.recursive += members[components.of[f]].size() > 1 || graph[f].count(f);
  shape.depth = longest[components.of[0]];
  std::vector<char> seen(graph.size());
  std::vector<uint32_t> work{0};
  seen[0] = 1;
  while (!work.empty()) {
    uint32_t f = work.back();
    work.pop_back();
    shape.reachable++;
    for (uint32_t callee : graph[f])
      if (!seen[callee]) seen[callee] = 1, work.push_back(callee);
  }
}

void collectCalls(const ControlFlow &program, const Flow &flow, std::set<uint32_t> &callees) {
  if (flow.kind == Flow::Call) callees.insert(flow.value);
  if (flow.kind == Flow::Indirect)
    callees.insert(program.targets[flow.value].begin(), program.targets[flow.value].end());
  for (const Flow &child : flow.children) collectCalls(program, child, callees);
}

} // namespace

double meanOf(const std::vector<uint32_t> &sorted) {
  double sum = 0;
  for (uint32_t c : sorted) sum += c;
  return sum / static_cast<double>(sorted.size());
}

uint32_t quantile(const std::vector<uint32_t> &sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

Shape shapeOf(const ControlFlow &program) {
  Shape shape;
  CallGraph graph(program.functions.size());
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const FlowFunction &f = program.functions[i];
    collectCalls(program, f.body, graph[i]);
    shape.complexity.push_back(f.complexity);
    shape.loops += f.loops;
    shape.lines += f.lines;
  }
  std::sort(shape.complexity.begin(), shape.complexity.end());
  measureCalls(graph, shape);
  return shape;
}

Shape shapeOf(const Grammar &grammar, const Program &program) {
  Shape shape;
  CallGraph graph(grammar.nonterminals.size());
  for (const Node &n : grammar.nodes) {
    shape.loops += n.kind == Kind::Loop;
    if (n.kind != Kind::Call) continue;
    NodeId around = grammar.at(n.parent).parent;
    if (around == kNone || grammar.at(around).kind != Kind::Dead) graph[n.owner].insert(n.target);
  }
  for (uint32_t function : program.functionOf)
    shape.complexity.push_back(program.truth.functions[function].complexity);
  std::set<std::pair<uint32_t, uint32_t>> lines; // statements, but for the helpers'
  uint32_t first = program.truth.functions[program.functionOf[0]].at.line;
  for (const StatementTruth &s : program.truth.statements)
    if (s.at.file > 0 || s.at.line >= first) lines.insert({s.at.file, s.at.line});
  shape.lines = lines.size();
  std::sort(shape.complexity.begin(), shape.complexity.end());
  measureCalls(graph, shape);
  return shape;
}

} // namespace fathom::synth
