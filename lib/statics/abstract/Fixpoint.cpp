// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Fixpoint.h"

namespace fathom::statics::abstract {

namespace {

void number(const std::vector<OrderElement> &elements, uint32_t &next, FunctionPlan &plan) {
  for (const OrderElement &element : elements) {
    plan.position[element.vertex] = next++;
    number(element.body, next, plan);
    plan.componentEnd[element.vertex] = next;
  }
}

} // namespace

FunctionPlan::FunctionPlan(const Function &function) {
  std::vector<std::vector<uint32_t>> successors(function.blocks.size());
  incoming.resize(function.blocks.size());
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (uint32_t e = 0; e < function.blocks[b].successors.size(); ++e) {
      const BlockId target = function.blocks[b].successors[e].target;
      successors[b].push_back(target);
      incoming[target].push_back({b, e});
    }
  order = weakOrder(successors);
  position.assign(function.blocks.size(), kNoId);
  componentEnd.assign(function.blocks.size(), 0);
  uint32_t next = 0;
  number(order, next, *this);
  blockAt.resize(next);
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    if (position[b] != kNoId) blockAt[position[b]] = b;
  thresholds = thresholdsOf(function);
}

void Widening::apply(State &state, const State &next, unsigned round) const {
  constexpr unsigned kOfProgram = 2, kOfFunction = 8, kOfTypes = 12;
  State grown = state;
  grown.join(next);
  state.widen(grown, round < kOfProgram    ? program_.thresholds
                     : round < kOfFunction ? plan_.thresholds
                     : round < kOfTypes    ? types_
                                           : none_);
}

Instance::Instance(FunctionId f, State bottom, size_t blocks)
    : function(f), entry(bottom), in(blocks), edges(blocks) {}

void Fixpoint::solve() {
  const Function &function = program_.functions[instance_.function];
  instance_.exit = {};
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    instance_.in[b] = {};
    instance_.edges[b].assign(function.blocks[b].successors.size(), {});
  }
  run(plan_.order);
  instance_.isSolved = true;
}

bool Fixpoint::isInside(BlockId block, BlockId head) const {
  return plan_.position[block] != kNoId && plan_.position[block] >= plan_.position[head] &&
         plan_.position[block] < plan_.componentEnd[head];
}

States Fixpoint::incoming(BlockId block, BlockId head, bool fromInside) const {
  States out;
  if (block == 0 && !fromInside) out.add(instance_.entry, 1);
  for (const FunctionPlan::Incoming &i : plan_.incoming[block])
    if (isInside(i.block, head) == fromInside)
      out.add(instance_.edges[i.block][i.edge], runner_.mostParts());
  return out;
}

States Fixpoint::allIncoming(BlockId block) const {
  States out;
  if (block == 0) out.add(instance_.entry, 1);
  for (const FunctionPlan::Incoming &i : plan_.incoming[block])
    out.add(instance_.edges[i.block][i.edge], runner_.mostParts());
  return out;
}

void Fixpoint::runBlock(BlockId block, States states) {
  // Without what is dead, some of them may be the same.
  States known;
  for (State &state : states) {
    for (const VarId var : program_.functions[instance_.function].blocks[block].dead)
      state.forget(var);
    known.add(std::move(state), runner_.mostParts());
  }
  instance_.in[block] = std::move(known);
  runner_.runBlock(instance_, block);
}

void Fixpoint::run(const std::vector<OrderElement> &elements) {
  for (const OrderElement &element : elements) {
    if (element.isComponent)
      stabilise(element);
    else
      runBlock(element.vertex, allIncoming(element.vertex));
  }
}

void Fixpoint::runRound(const OrderElement &component, States head) {
  runBlock(component.vertex, std::move(head));
  run(component.body);
}

void Fixpoint::collect(BlockId head, Left &left) const {
  constexpr size_t kMaxKept = 256;
  const uint32_t first = plan_.position[head], count = plan_.componentEnd[head] - first;
  left.in.resize(count);
  left.edges.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    const BlockId b = plan_.blockAt[first + i];
    left.in[i].append(instance_.in[b], kMaxKept);
    left.edges[i].resize(instance_.edges[b].size());
    for (size_t e = 0; e < instance_.edges[b].size(); ++e)
      if (!isInside(program_.functions[instance_.function].blocks[b].successors[e].target, head))
        left.edges[i][e].add(instance_.edges[b][e], runner_.mostParts());
  }
}

void Fixpoint::putBack(BlockId head, Left left) {
  const uint32_t first = plan_.position[head];
  for (uint32_t i = 0; i < left.in.size(); ++i) {
    const BlockId b = plan_.blockAt[first + i];
    instance_.in[b] = std::move(left.in[i]);
    instance_.edges[b] = std::move(left.edges[i]);
  }
}

bool Fixpoint::unroll(const OrderElement &component, States &state, Left &left) {
  const BlockId head = component.vertex;
  const size_t blocks = plan_.componentEnd[head] - plan_.position[head];
  States seen;
  for (unsigned round = 0; runner_.mayUnroll(round, blocks); ++round) {
    seen.append(state, SIZE_MAX);
    runRound(component, std::move(state));
    collect(head, left);
    state = {};
    States next = incoming(head, head, /*fromInside=*/true);
    for (State &one : next) {
      for (const VarId var : program_.functions[instance_.function].blocks[head].dead)
        one.forget(var);
      if (!seen.contains(one)) state.add(std::move(one), runner_.mostParts());
    }
    if (state.isBottom()) return true;
  }
  return false;
}

void Fixpoint::stabilise(const OrderElement &component) {
  const BlockId head = component.vertex;
  States first = incoming(head, head, /*fromInside=*/false);
  if (first.isBottom()) {
    // Nothing gets here: also not from earlier rounds of a loop around.
    runRound(component, {});
    return;
  }
  Left left;
  if (unroll(component, first, left)) return putBack(head, std::move(left));
  const State before = first.joined(bottom());
  State state = before;
  for (unsigned round = 0;; ++round) {
    runRound(component, States(state));
    State next = incoming(head, head, /*fromInside=*/true).joined(before);
    if (next.isSubsetOf(state)) break;
    if (round < options_.joinsBeforeWidening) {
      state.join(next);
    } else {
      widening_.apply(state, next, round - options_.joinsBeforeWidening);
    }
  }
  narrow(component, before);
  if (left.in.empty()) return;
  collect(head, left);
  putBack(head, std::move(left));
}

void Fixpoint::narrow(const OrderElement &component, const State &before) {
  const BlockId head = component.vertex;
  for (unsigned round = 0; round < options_.narrowings; ++round) {
    const State next = incoming(head, head, /*fromInside=*/true).joined(before);
    const State old = instance_.in[head].joined(bottom());
    State forgotten = next;
    for (const VarId var : program_.functions[instance_.function].blocks[head].dead)
      forgotten.forget(var);
    if (old.isSubsetOf(forgotten)) return;
    const std::vector<States> in = instance_.in;
    const std::vector<std::vector<States>> edges = instance_.edges;
    runRound(component, States(next));
    const State check = incoming(head, head, /*fromInside=*/true).joined(before);
    if (check.isSubsetOf(next)) continue;
    // Joins are not monotone: the finer state does not repeat itself. The wider one does.
    instance_.in = in;
    instance_.edges = edges;
    return;
  }
}

} // namespace fathom::statics::abstract
