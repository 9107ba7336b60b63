// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/Distance.h"

#include "program/CodeFlow.h"

#include <algorithm>
#include <queue>

namespace fathom::explore {

using namespace program;

namespace {
constexpr uint32_t kUnknownCallCost = 20; // a call through a pointer
} // namespace

DistanceMap::DistanceMap(const Program &program) : program_(program) {
  // Code is laid out so that every control transfer ends a piece and every target begins one.
  for (const FunctionCode &f : program.functions) {
    firstNode_.push_back(static_cast<uint32_t>(nodes_.size()));
    uint32_t first = 0;
    for (uint32_t i = 0; i < f.code.size(); i++)
      if (isTransfer(f.code[i].op)) {
        nodes_.push_back({f.id, first, i + 1});
        first = i + 1;
      }
  }
  firstNode_.push_back(static_cast<uint32_t>(nodes_.size()));
  predecessors_.resize(nodes_.size());

  // Shortest way to a return, with calls costing their callee's: iterated, since callees may come
  // later (and recursion).
  toReturn_.assign(nodes_.size(), kFar);
  std::vector<uint32_t> callCost(program.functions.size(), kFar);
  std::vector<std::vector<Edge>> inFunction(
      nodes_.size()); // forward edges that stay in the function, calls passed over
  struct CallNode {
    uint32_t node, callee;
  };
  std::vector<CallNode> calls;
  for (uint32_t n = 0; n < nodes_.size(); n++) {
    const Node &node = nodes_[n];
    const FunctionCode &f = program.functions[node.function];
    const Inst &in = f.code[node.end - 1];
    uint32_t length = node.end - node.first;
    auto to = [&](uint32_t target, uint32_t extra = 0) {
      inFunction[n].push_back({nodeAt(node.function, target), length + extra});
    };
    switch (in.op) {
    case Op::Call: calls.push_back({n, in.c}); break;
    case Op::CallIndirect:
    case Op::CallExternal:
      if (node.end < f.code.size()) to(node.end, kUnknownCallCost);
      break;
    case Op::Ret:
    case Op::RetVoid: toReturn_[n] = length; break;
    default: forEachTarget(f, in, [&](uint32_t target) { to(target); });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    // Backwards within each function: a few rounds, as loops are shallow.
    for (bool inner = true; inner;) {
      inner = false;
      for (uint32_t n = static_cast<uint32_t>(nodes_.size()); n-- > 0;)
        for (const Edge &e : inFunction[n])
          if (toReturn_[e.to] < kFar && toReturn_[e.to] + e.cost < toReturn_[n]) {
            toReturn_[n] = toReturn_[e.to] + e.cost;
            inner = true;
          }
      for (const CallNode &c : calls) {
        const Node &node = nodes_[c.node];
        uint32_t cost = callCost[c.callee];
        if (cost >= kFar || node.end >= program.functions[node.function].code.size()) continue;
        uint32_t next = toReturn_[nodeAt(node.function, node.end)];
        uint32_t total = next < kFar ? node.end - node.first + cost + next : kFar;
        if (total < toReturn_[c.node]) {
          toReturn_[c.node] = total;
          inner = true;
        }
      }
    }
    for (const FunctionCode &f : program.functions)
      if (!f.code.empty() && toReturn_[firstNode_[f.id]] < callCost[f.id]) {
        callCost[f.id] = toReturn_[firstNode_[f.id]];
        changed = true;
      }
  }
  for (uint32_t n = 0; n < nodes_.size(); n++)
    for (const Edge &e : inFunction[n]) predecessors_[e.to].push_back({n, e.cost});
  for (const CallNode &c : calls) {
    const Node &node = nodes_[c.node];
    uint32_t length = node.end - node.first;
    if (!program.functions[c.callee].code.empty())
      predecessors_[firstNode_[c.callee]].push_back({c.node, length});
    if (callCost[c.callee] < kFar && node.end < program.functions[node.function].code.size())
      predecessors_[nodeAt(node.function, node.end)].push_back(
          {c.node, length + callCost[c.callee]});
  }
}

uint32_t DistanceMap::nodeAt(uint32_t function, uint32_t inst) const {
  auto begin = nodes_.begin() + firstNode_[function],
       end = nodes_.begin() + firstNode_[function + 1];
  auto it = std::upper_bound(begin, end, inst, [](uint32_t i, const Node &n) { return i < n.end; });
  return static_cast<uint32_t>((it == end ? end - 1 : it) - nodes_.begin());
}

void DistanceMap::shortest(std::vector<uint32_t> &distance) const {
  using Entry = std::pair<uint32_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (uint32_t n = 0; n < distance.size(); n++)
    if (distance[n] == 0) queue.emplace(0, n);
  while (!queue.empty()) {
    auto [d, n] = queue.top();
    queue.pop();
    if (d > distance[n]) continue;
    for (const Edge &e : predecessors_[n])
      if (d + e.cost < distance[e.to]) {
        distance[e.to] = d + e.cost;
        queue.emplace(distance[e.to], e.to);
      }
  }
}

void DistanceMap::update(const std::function<bool(uint32_t, uint32_t, uint32_t)> &isTarget) {
  distance_.assign(nodes_.size(), kFar);
  for (uint32_t n = 0; n < nodes_.size(); n++)
    if (isTarget(nodes_[n].function, nodes_[n].first, nodes_[n].end)) distance_[n] = 0;
  shortest(distance_);
}

uint32_t DistanceMap::of(const State &state,
                         const std::function<const Inst *(uint32_t)> &codeOf) const {
  uint32_t best = kFar; // over the threads: any of them may get there
  state.forEachThread([&](const Frame *top, const Inst *at) {
    uint32_t passed = 0; // instructions until the frame at hand goes on
    for (const Frame *f = top; f; f = f->parent) {
      uint32_t index = static_cast<uint32_t>(at - codeOf(f->function));
      if (index >= program_.functions[f->function].code.size()) break;
      uint32_t n = nodeAt(f->function, index);
      if (distance_[n] < kFar) best = std::min(best, passed + distance_[n]);
      if (toReturn_[n] >= kFar) break;
      passed += toReturn_[n];
      if (passed >= best || passed >= kFar) break;
      if (f->parent) at = f->parent->resume;
    }
  });
  return best;
}

} // namespace fathom::explore
