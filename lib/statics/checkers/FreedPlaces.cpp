// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreedPlaces.h"

#include "statics/checkers/Hops.h"

#include <algorithm>

namespace fathom::statics {

StatementId FreedPlaces::loadOf(StatementId user, FlowNode pointer) {
  if (!flow_.isValue(pointer)) return kNone;
  const auto isLoad = [&](StatementId s) {
    return s != kNone && facts_.statements[s].kind == StatementKind::Load;
  };
  // What was stored is its own leader: look at how the operand itself was read.
  const StatementId at = facts_.values[pointer].definition;
  if (isLoad(at)) return at;
  const ValueId leader = view_.ways(view_.functionOf(user)).numbers.leader(pointer);
  const StatementId load = facts_.values[leader].definition;
  return isLoad(load) ? load : kNone;
}

MemoryPlace FreedPlaces::placeOf(StatementId user, FlowNode pointer) {
  const StatementId load = loadOf(user, pointer);
  if (load == kNone) return {};
  return overwrites_.placeOf(view_.functionOf(user), facts_.operandsOf(facts_.statements[load])[0]);
}

std::set<uint32_t> FreedPlaces::cellsOf(StatementId event, FlowNode object) {
  std::set<uint32_t> out;
  if (flow_.isTransfer(object)) return out;
  if (!flow_.isValue(object)) return {flow_.graph().cellOf(object)};
  const StatementId load = loadOf(event, object);
  if (load == kNone) return out;
  const FunctionId f = view_.functionOf(event);
  for (const MemorySsa::Use &mu : flow_.memory(f).musOf(load))
    out.insert(flow_.graph().cellOf(flow_.ofVersion(f, mu.version)));
  return out;
}

bool FreedPlaces::wasReplaced(StatementId event, StatementId load, ValueId freed,
                              const MemoryPlace &place) {
  Ways &ways = view_.ways(view_.functionOf(event));
  const auto replaces = [&](StatementId s) {
    if (!overwrites_.at(s, place)) return false;
    const Statement &by = facts_.statements[s];
    return by.kind != StatementKind::Store ||
           ways.numbers.leader(facts_.operandsOf(by)[1]) != freed;
  };
  const WayBars bars{.statement = [&](StatementId s) { return s == load || replaces(s); }};
  return !ways.exists(load, WayEnd::at(event), bars);
}

std::optional<FreedPlaces::Put> FreedPlaces::putBy(const FlowSearch &search,
                                                   const FlowSearch::State &state,
                                                   const std::set<uint32_t> &cells) const {
  if (state.stack != 0 || state.previous == FlowSearch::kNoState || flow_.isValue(state.node) ||
      flow_.isTransfer(state.node) || !cells.contains(flow_.graph().cellOf(state.node)))
    return std::nullopt;
  const StatementId at = flow_.definition(state.node);
  if (at == kNone) return std::nullopt;
  // What was in this memory before the statement, and before a call, was put there earlier.
  FlowSearch::State before = search[state.previous];
  while (before.stack != 0) before = search[before.previous];
  if (flow_.graph().cellOf(before.node) == flow_.graph().cellOf(state.node)) return std::nullopt;
  const Statement &s = facts_.statements[at];
  Put out{at, state.node, {}};
  if (s.kind == StatementKind::Store)
    out.place = overwrites_.placeOf(view_.functionOf(at), facts_.operandsOf(s)[0]);
  return out;
}

std::vector<FreedPlaces::Put> FreedPlaces::putsBetween(StatementId load, StatementId event,
                                                       FlowNode object) {
  const FunctionId f = view_.functionOf(event);
  Ways &ways = view_.ways(f);
  const std::optional<Known> known = ways.knownAt(facts_.statements[load].block);
  if (!known) return {};
  const WayBars untilReadAgain{.statement = [&](StatementId s) { return s == load; }};
  const Reach between = ways.reach(load, *known, untilReadAgain);
  FlowSearch search(view_, {.states = 200, .leave = false});
  const Function &function = facts_.functions[f];
  const ValueId freed = ways.numbers.leader(object);
  for (ValueId v = function.firstValue; v < function.firstValue + function.numValues; v++)
    if (ways.numbers.leader(v) == freed) search.begin(flow_.ofValue(v));
  const std::set<uint32_t> cells = cellsOf(event, object);
  std::vector<Put> out;
  search.run(
      [&](const FlowSearch::State &from, FlowNode to, FlowKind kind, uint32_t call) {
        if (kind == FlowKind::Derived) return false;
        if (from.stack != 0 || flow_.functionOf(from.node) != f) return true;
        return reachesEdge(view_, between, from.node, to, kind, call);
      },
      [&](uint32_t state) {
        const std::optional<Put> put = putBy(search, search[state], cells);
        if (put && ways.exists(put->statement, WayEnd::at(event), {.statement = [&](StatementId s) {
                                 return s == load || isOverwritten(*put, s);
                               }}))
          out.push_back(*put);
        return true;
      });
  return out;
}

void FreedPlaces::addVersions(const Put &put, std::set<FlowNode> &out) {
  const FunctionId f = flow_.functionOf(put.version);
  const MemorySsa &ssa = flow_.memory(f);
  std::vector<FlowNode> open{put.version};
  while (!open.empty()) {
    const FlowNode at = open.back();
    open.pop_back();
    if (!out.insert(at).second) continue;
    for (VersionId v = 0; v < ssa.versions.size(); v++) {
      const Version &version = ssa.versions[v];
      if (version.kind == VersionKind::Chi) {
        if (version.previous != kNone && flow_.ofVersion(f, version.previous) == at &&
            !version.isStrong && !isOverwritten(put, version.at))
          open.push_back(flow_.ofVersion(f, v));
        continue;
      }
      for (uint32_t i = 0; i < version.numOperands; i++)
        if (const VersionId operand = ssa.operands[version.firstOperand + i];
            operand != kNone && flow_.ofVersion(f, operand) == at)
          open.push_back(flow_.ofVersion(f, v));
    }
  }
}

static bool isSame(const MemoryPlace &a, const MemoryPlace &b) {
  if (a.address != kNone && a.address == b.address) return true;
  return a.base != kNone && a.base == b.base && a.isExact && b.isExact && a.offset == b.offset;
}

FreedHold FreedPlaces::holdAt(StatementId event, FlowNode object, const MemoryPlace &place) {
  FreedHold out{.place = place};
  const StatementId load = place.isKnown() ? loadOf(event, object) : kNone;
  const FunctionId f = view_.functionOf(event);
  if (load == kNone || view_.functionOf(load) != f) return out;
  out.wasReplaced = wasReplaced(event, load, view_.ways(f).numbers.leader(object), place);
  const std::vector<Put> puts = putsBetween(load, event, object);
  bool isFirst = out.wasReplaced;
  for (const Put &put : puts) {
    if (isFirst)
      out.place = put.place;
    else if (!isSame(out.place, put.place))
      out.place = {};
    isFirst = false;
    std::set<FlowNode> versions;
    addVersions(put, versions);
    out.put.insert(versions.begin(), versions.end());
  }
  return out;
}

} // namespace fathom::statics
