// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FlowSearch.h"

#include <algorithm>

namespace fathom::statics {

void FlowSearch::begin(FlowNode node, uint32_t doubts) {
  add({node, 0, kNoState, FlowKind::Direct, 0, false, doubts});
}

void FlowSearch::beginBehind(FlowNode node, FlowKind kind, uint32_t call, uint32_t doubts) {
  add({node, 0, kNoState, kind, call, false, doubts, /*isBehind=*/true});
}

void FlowSearch::beginInside(FlowNode node, uint32_t call) {
  auto [known, isNew] = knownFrames_.try_emplace(std::tuple(0u, call, kNone, false),
                                                 static_cast<uint32_t>(frames_.size()));
  if (isNew) frames_.push_back({0, call, kNone, 1, false});
  add({node, known->second, kNoState, FlowKind::Call, call, false, 0, /*isBehind=*/true});
}

void FlowSearch::add(const State &state) {
  if (seen_.insert({state.node, state.stack}).second) states_.push_back(state);
}

/// Does it stand for memory of several objects?
bool FlowSearch::isSummary(FlowNode node) const {
  const FunctionId f = view_.flow.functionOf(node);
  const Version &v = view_.flow.version(node);
  const SparseBits &region = view_.pts.sets[view_.flow.memory(f).regions[v.region]];
  return region.count() > 1 || !isSingleton(view_.pts, view_.flow.modRef, region.first());
}

void FlowSearch::follow(uint32_t from, FlowNode to, FlowKind kind, uint32_t call) {
  const State &state = states_[from];
  const ValueFlow &flow = view_.flow;
  const bool isMemory = !flow.isValue(to) && !flow.isTransfer(to);
  State next{to, state.stack, from, kind, call, false, state.doubts};
  const uint32_t cell = flow.graph().cellOf(to);
  next.isPure = state.isPure && isMemory && cell == flow.graph().cellOf(state.node);
  if (flow.isValue(to) && !flow.isValue(state.node) && !flow.isTransfer(state.node))
    next.doubts += isSummary(state.node);
  if (flow.isTransfer(to)) next.doubts++;
  const bool enters = kind == (limits_.forward ? FlowKind::Call : FlowKind::Return);
  const bool leaves = kind == (limits_.forward ? FlowKind::Return : FlowKind::Call);
  if (enters) {
    const Frame &frame = frames_[state.stack];
    if (frame.depth >= limits_.depth) return;
    for (uint32_t at = state.stack; at != 0; at = frames_[at].parent)
      if (frames_[at].call == call) return; // recursion: the first round is enough
    const uint32_t outer = flow.graph().cellOf(state.node);
    auto [known, isNew] = knownFrames_.try_emplace(
        std::tuple(state.stack, call, outer, state.isPure), static_cast<uint32_t>(frames_.size()));
    next.stack = known->second;
    next.isPure = isMemory;
    if (isNew) {
      const Frame made{state.stack, call, outer, frame.depth + 1, state.isPure};
      frames_.push_back(made);
    }
  } else if (leaves) {
    if (state.stack == 0) {
      if (!limits_.leave) return;
      next.isPure = false;
    } else {
      const Frame &frame = frames_[state.stack];
      if (frame.call != call) return;
      if (state.isPure && cell != frame.cell) return; // this memory was another when it came in
      next.stack = frame.parent;
      next.isPure = state.isPure && frame.callerIsPure;
    }
  }
  add(next);
}

std::vector<uint32_t> FlowSearch::path(uint32_t state) const {
  std::vector<uint32_t> out;
  for (uint32_t at = state; at != kNoState; at = states_[at].previous) out.push_back(at);
  std::reverse(out.begin(), out.end());
  return out;
}

} // namespace fathom::statics
