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
    : function(f), entry(bottom), exit(bottom), in(blocks, bottom), edges(blocks) {}

void Fixpoint::solve() {
  const State bottom = State::bottom(instance_.entry.domain());
  const Function &function = program_.functions[instance_.function];
  instance_.exit = bottom;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    instance_.in[b] = bottom;
    instance_.edges[b].assign(function.blocks[b].successors.size(), bottom);
  }
  run(plan_.order);
  instance_.isSolved = true;
}

bool Fixpoint::isInside(BlockId block, BlockId head) const {
  return plan_.position[block] != kNoId && plan_.position[block] >= plan_.position[head] &&
         plan_.position[block] < plan_.componentEnd[head];
}

State Fixpoint::incoming(BlockId block, BlockId head, bool fromInside) const {
  State out = State::bottom(instance_.entry.domain());
  if (block == 0 && !fromInside) out = instance_.entry;
  for (const FunctionPlan::Incoming &i : plan_.incoming[block])
    if (isInside(i.block, head) == fromInside) out.join(instance_.edges[i.block][i.edge]);
  return out;
}

State Fixpoint::allIncoming(BlockId block) const {
  State out = State::bottom(instance_.entry.domain());
  if (block == 0) out = instance_.entry;
  for (const FunctionPlan::Incoming &i : plan_.incoming[block])
    out.join(instance_.edges[i.block][i.edge]);
  return out;
}

void Fixpoint::runBlock(BlockId block, State state) {
  for (const VarId var : program_.functions[instance_.function].blocks[block].dead)
    state.forget(var);
  instance_.in[block] = std::move(state);
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

void Fixpoint::runRound(const OrderElement &component, const State &head) {
  runBlock(component.vertex, head);
  run(component.body);
}

void Fixpoint::stabilise(const OrderElement &component) {
  const BlockId head = component.vertex;
  const State before = incoming(head, head, /*fromInside=*/false);
  if (before.isBottom()) {
    // Nothing gets here: also not from earlier rounds of a loop around.
    const State bottom = before;
    runRound(component, bottom);
    return;
  }
  State state = before;
  for (unsigned round = 0;; ++round) {
    runRound(component, state);
    State next = incoming(head, head, /*fromInside=*/true);
    next.join(before);
    if (next.isSubsetOf(state)) break;
    if (round < options_.joinsBeforeWidening) {
      state.join(next);
    } else {
      widening_.apply(state, next, round - options_.joinsBeforeWidening);
    }
  }
  narrow(component, before);
}

void Fixpoint::narrow(const OrderElement &component, const State &before) {
  const BlockId head = component.vertex;
  for (unsigned round = 0; round < options_.narrowings; ++round) {
    State next = incoming(head, head, /*fromInside=*/true);
    next.join(before);
    const State old = instance_.in[head];
    State forgotten = next;
    for (const VarId var : program_.functions[instance_.function].blocks[head].dead)
      forgotten.forget(var);
    if (old.isSubsetOf(forgotten)) return;
    const std::vector<State> in = instance_.in;
    const std::vector<std::vector<State>> edges = instance_.edges;
    runRound(component, next);
    State check = incoming(head, head, /*fromInside=*/true);
    check.join(before);
    if (check.isSubsetOf(next)) continue;
    // Joins are not monotone: the finer state does not repeat itself. The wider one does.
    instance_.in = in;
    instance_.edges = edges;
    return;
  }
}

} // namespace fathom::statics::abstract
