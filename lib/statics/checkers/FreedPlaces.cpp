// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreedPlaces.h"

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

bool FreedPlaces::wasReplaced(StatementId event, FlowNode object, const MemoryPlace &place) {
  const StatementId load = place.isKnown() ? loadOf(event, object) : kNone;
  const FunctionId f = view_.functionOf(event);
  if (load == kNone || view_.functionOf(load) != f) return false;
  Ways &ways = view_.ways(f);
  const ValueId freed = ways.numbers.leader(object);
  const auto replaces = [&](StatementId s) {
    if (!overwrites_.at(s, place)) return false;
    const Statement &by = facts_.statements[s];
    return by.kind != StatementKind::Store ||
           ways.numbers.leader(facts_.operandsOf(by)[1]) != freed;
  };
  const WayBars bars{.statement = [&](StatementId s) { return s == load || replaces(s); }};
  return !ways.exists(load, WayEnd::at(event), bars);
}

} // namespace fathom::statics
