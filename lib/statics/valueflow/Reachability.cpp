// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/valueflow/Reachability.h"

#include <algorithm>

namespace fathom::statics {

static constexpr uint32_t kNoCell = ~uint32_t(0);

uint32_t Reachability::entryAt(FlowNode node) {
  auto [known, isNew] = entryAt_.try_emplace(node, static_cast<uint32_t>(entries_.size()));
  if (isNew) {
    entries_.emplace_back();
    add(known->second, {node, graph_.cellOf(node) != kNoCell});
  }
  return known->second;
}

void Reachability::add(uint32_t entry, Reached reached) {
  // What comes out as memory also comes out as a value, so a node reached as a value needs no entry
  // as memory.
  const uint64_t asValue = uint64_t(entry) << 33 | uint64_t(reached.node) << 1;
  if (reached.isMemory && seen_.count(asValue)) return;
  if (!seen_.insert(asValue | reached.isMemory).second) return;
  open_.emplace_back(entry, reached);
}

/// The worklist of the tabulation algorithm [rhs-tabulation]. Afterwards all entries are complete,
/// unless `stop_` was set.
void Reachability::tabulate() {
  while (!open_.empty()) {
    if (stop_ && *stop_) return;
    const auto [entry, reached] = open_.back();
    open_.pop_back();
    process(entry, reached);
  }
}

void Reachability::process(uint32_t entry, Reached at) {
  const uint32_t cell = graph_.cellOf(at.node);
  bool isExit = false;
  for (const FlowEdge &e : edges(at.node)) {
    if (isSkipped(e)) continue;
    if (leaves(e)) {
      isExit = true;
    } else if (!enters(e)) {
      add(entry, {e.to, at.isMemory && graph_.cellOf(e.to) == cell});
    } else {
      const uint32_t inner = entryAt(e.to);
      if (!knownDependents_.insert({inner, entry, e.call() << 1 | at.isMemory, cell}).second)
        continue;
      entries_[inner].dependents.push_back({entry, e.call(), cell, at.isMemory});
      // add() makes no entries: the lists stay where they are.
      for (const Reached exit : entries_[inner].exits)
        forEachReturn(exit, e.call(), cell,
                      [&](FlowNode to) { add(entry, {to, at.isMemory && exit.isMemory}); });
    }
  }
  if (!isExit) return;
  entries_[entry].exits.push_back(at);
  for (const Dependent &d : entries_[entry].dependents)
    forEachReturn(at, d.call, d.cell,
                  [&](FlowNode to) { add(d.entry, {to, d.isMemory && at.isMemory}); });
}

const std::vector<Reachability::Reached> &Reachability::exitsAt(FlowNode entry) {
  const uint32_t at = entryAt(entry);
  tabulate();
  return entries_[at].exits;
}

std::vector<FlowNode> Reachability::exitsOf(FlowNode entry) {
  std::vector<FlowNode> nodes;
  for (const Reached exit : exitsAt(entry)) nodes.push_back(exit.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void Reachability::search(FlowNode begin, FlowNode end, Visits (&visits)[2], bool entered) {
  std::vector<std::pair<FlowNode, bool>> queue{{begin, entered}};
  visits[entered][begin] = {begin, entered, {FlowStep::Start, begin, 0}};
  for (size_t next = 0; next < queue.size(); next++) {
    if (stop_ && *stop_) return;
    const auto [node, isInside] = queue[next];
    if (node == end) return;
    auto visit = [&](FlowNode to, bool inside, FlowStep::Kind kind, uint32_t call) {
      // A node visited outside of calls can be left in all ways in which it can be left inside of
      // one.
      if (visits[0].count(to)) return;
      if (visits[inside].try_emplace(to, Visit{node, isInside, {kind, to, call}}).second)
        queue.emplace_back(to, inside);
    };
    for (const FlowEdge &e : edges(node)) {
      if (isSkipped(e)) continue;
      if (leaves(e)) {
        if (!isInside) visit(e.to, false, isForward_ ? FlowStep::Return : FlowStep::Call, e.call());
      } else if (!enters(e)) {
        visit(e.to, isInside, FlowStep::Direct, 0);
      } else {
        const std::vector<Reached> exits = exitsAt(e.to);
        for (const Reached exit : exits)
          forEachReturn(exit, e.call(), graph_.cellOf(node),
                        [&](FlowNode to) { visit(to, isInside, FlowStep::Summary, e.call()); });
        visit(e.to, true, isForward_ ? FlowStep::Call : FlowStep::Return, e.call());
      }
    }
  }
}

static void sortUnique(std::vector<FlowNode> &nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

std::vector<FlowNode> Reachability::from(FlowNode node) {
  Visits visits[2];
  search(node, ~FlowNode(0), visits);
  std::vector<FlowNode> nodes;
  for (const Visits &v : visits)
    for (const auto &[reached, how] : v) nodes.push_back(reached);
  sortUnique(nodes);
  return nodes;
}

std::vector<FlowNode> Reachability::fromInside(FlowNode node, uint32_t call) {
  Visits visits[2];
  search(node, ~FlowNode(0), visits, /*entered=*/true);
  std::vector<FlowNode> nodes;
  for (const auto &[reached, how] : visits[1]) nodes.push_back(reached);
  const std::vector<Reached> exits = exitsAt(node);
  for (const Reached exit : exits)
    forEachReturn(exit, call, kNoCell, [&](FlowNode to) {
      const std::vector<FlowNode> behind = from(to);
      nodes.insert(nodes.end(), behind.begin(), behind.end());
    });
  sortUnique(nodes);
  return nodes;
}

std::vector<FlowStep> Reachability::path(FlowNode begin, FlowNode end) {
  Visits visits[2];
  search(begin, end, visits);
  bool entered = !visits[0].count(end);
  if (entered && !visits[1].count(end)) return {};
  std::vector<FlowStep> steps;
  for (FlowNode at = end;;) {
    const Visit &visit = visits[entered].at(at);
    steps.push_back(visit.step);
    if (visit.step.kind == FlowStep::Start) break;
    at = visit.previous;
    entered = visit.previousEntered;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

} // namespace fathom::statics
