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
  addNodes();
  const Edges inFunctions = edgesInFunctions();
  findReturns(inFunctions);
  addPredecessors(inFunctions);
}

/// Code is laid out so that every control transfer ends a piece and every target begins one.
void DistanceMap::addNodes() {
  for (const FunctionCode &f : program_.functions) {
    firstNode_.push_back(static_cast<uint32_t>(nodes_.size()));
    uint32_t first = 0;
    for (uint32_t i = 0; i < f.code.size(); i++)
      if (isTransfer(f.code[i].op)) {
        nodes_.push_back({f.id, first, i + 1});
        callee_.push_back(f.code[i].op == Op::Call ? f.code[i].c : kNoIndex);
        first = i + 1;
      }
  }
  firstNode_.push_back(static_cast<uint32_t>(nodes_.size()));
}

DistanceMap::Edges DistanceMap::edgesInFunctions() const {
  Edges out;
  for (uint32_t n = 0; n < nodes_.size(); n++) {
    out.first.push_back(static_cast<uint32_t>(out.all.size()));
    const Node &node = nodes_[n];
    const FunctionCode &f = program_.functions[node.function];
    const Inst &in = f.code[node.end - 1];
    if (in.op == Op::CallIndirect || in.op == Op::CallExternal) {
      if (goesOn(n)) out.all.push_back({n + 1, length(n) + kUnknownCallCost});
      continue;
    }
    forEachTarget(f, in, [&](uint32_t target) {
      out.all.push_back({nodeAt(node.function, target), length(n)});
    });
  }
  out.first.push_back(static_cast<uint32_t>(out.all.size()));
  return out;
}

/// Functions, each after those that it calls, as far as recursion lets it.
static std::vector<uint32_t> calleesFirst(const std::vector<std::vector<uint32_t>> &callees) {
  std::vector<uint32_t> out;
  std::vector<bool> seen(callees.size());
  std::vector<std::pair<uint32_t, size_t>> stack;
  const auto enter = [&](uint32_t f) {
    if (seen[f]) return;
    seen[f] = true;
    stack.emplace_back(f, 0);
  };
  for (uint32_t root = 0; root < callees.size(); root++)
    for (enter(root); !stack.empty();) {
      auto &[f, at] = stack.back();
      if (at < callees[f].size()) {
        enter(callees[f][at++]);
        continue;
      }
      out.push_back(f);
      stack.pop_back();
    }
  return out;
}

/// Shortest ways to returns; a call costs its callee's shortest way. When a function's cost
/// shrinks, its callers are computed again, because of recursion.
void DistanceMap::findReturns(const Edges &inFunctions) {
  const size_t count = program_.functions.size();
  toReturn_.assign(nodes_.size(), kFar);
  callCost_.assign(count, kFar);
  std::vector<std::vector<uint32_t>> callees(count), callers(count);
  for (uint32_t n = 0; n < nodes_.size(); n++) {
    const Op op = program_.functions[nodes_[n].function].code[nodes_[n].end - 1].op;
    if (op == Op::Ret || op == Op::RetVoid) toReturn_[n] = length(n);
    if (callee_[n] == kNoIndex) continue;
    callees[nodes_[n].function].push_back(callee_[n]);
    callers[callee_[n]].push_back(nodes_[n].function);
  }
  std::vector<uint32_t> waiting = calleesFirst(callees);
  std::vector<bool> waits(count, true);
  for (size_t next = 0; next < waiting.size(); next++) {
    const uint32_t f = waiting[next];
    waits[f] = false;
    if (!shortenReturns(program_.functions[f], inFunctions)) continue;
    for (uint32_t caller : callers[f])
      if (!waits[caller]) {
        waits[caller] = true;
        waiting.push_back(caller);
      }
  }
}

/// Backwards within the function: a few rounds, as loops are shallow. \returns whether a call of it
/// costs less than before.
bool DistanceMap::shortenReturns(const FunctionCode &f, const Edges &inFunctions) {
  if (f.code.empty()) return false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = firstNode_[f.id + 1]; n-- > firstNode_[f.id];) {
      uint32_t best = toReturn_[n];
      const auto by = [&](uint32_t next, uint32_t cost) {
        if (toReturn_[next] < kFar) best = std::min(best, cost + toReturn_[next]);
      };
      for (const Edge *e = inFunctions.begin(n); e != inFunctions.end(n); e++) by(e->to, e->cost);
      if (callee_[n] != kNoIndex && callCost_[callee_[n]] < kFar && goesOn(n))
        by(n + 1, length(n) + callCost_[callee_[n]]);
      changed |= best < toReturn_[n];
      toReturn_[n] = best;
    }
  }
  const uint32_t cost = toReturn_[firstNode_[f.id]];
  if (cost >= callCost_[f.id]) return false;
  callCost_[f.id] = cost;
  return true;
}

void DistanceMap::addPredecessors(const Edges &inFunctions) {
  const auto forEachEdge = [&](auto &&visit) { // from, to, cost
    for (uint32_t n = 0; n < nodes_.size(); n++) {
      for (const Edge *e = inFunctions.begin(n); e != inFunctions.end(n); e++)
        visit(n, e->to, e->cost);
      const uint32_t callee = callee_[n];
      if (callee == kNoIndex) continue;
      if (!program_.functions[callee].code.empty()) visit(n, firstNode_[callee], length(n));
      if (callCost_[callee] < kFar && goesOn(n)) visit(n, n + 1, length(n) + callCost_[callee]);
    }
  };
  std::vector<uint32_t> &first = predecessors_.first;
  first.assign(nodes_.size() + 1, 0);
  forEachEdge([&](uint32_t, uint32_t to, uint32_t) { ++first[to + 1]; });
  for (size_t n = 0; n < nodes_.size(); n++) first[n + 1] += first[n];
  predecessors_.all.resize(first.back());
  std::vector<uint32_t> at = first;
  forEachEdge([&](uint32_t from, uint32_t to, uint32_t cost) {
    predecessors_.all[at[to]++] = {from, cost};
  });
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
    for (const Edge *e = predecessors_.begin(n); e != predecessors_.end(n); e++)
      if (d + e->cost < distance[e->to]) {
        distance[e->to] = d + e->cost;
        queue.emplace(distance[e->to], e->to);
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
