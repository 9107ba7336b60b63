// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Overwrites.h"

#include <algorithm>

namespace fathom::statics {

MemoryPlace Overwrites::placeOf(FunctionId function, ValueId address) {
  constexpr unsigned kMaxMoves = 48;
  ValueNumbers &numbers = view_.ways(function).numbers;
  MemoryPlace out{.address = numbers.leader(address), .isExact = true};
  out.base = out.address;
  for (unsigned i = 0; i < kMaxMoves; i++) {
    const Value &v = facts_.values[out.base];
    if (v.address != kNone) {
      const ConstantAddress &at = facts_.addresses[v.address];
      out.offset += at.offset;
      out.base = anyAddressOf(at.object);
      return out;
    }
    if (v.function != function || v.definition == kNone) return out;
    const Statement &s = facts_.statements[v.definition];
    if (s.kind != StatementKind::Gep) return out;
    out.offset += facts_.moves[s.extra].constant;
    out.isExact &= facts_.moves[s.extra].strides.empty();
    out.base = numbers.leader(facts_.operandsOf(s)[0]);
  }
  return {.address = out.address};
}

/// A constant address of the beginning of a variable.
ValueId Overwrites::anyAddressOf(ObjectId object) {
  if (addressOf_.empty())
    for (ValueId v = 0; v < facts_.values.size(); v++)
      if (const uint32_t at = facts_.values[v].address; at != kNone)
        addressOf_.try_emplace(facts_.addresses[at].object, v);
  return addressOf_.at(object);
}

MemoryPlace Overwrites::inCaller(const MemoryPlace &place, FunctionId callee, StatementId call) {
  if (place.base != kNone && facts_.values[place.base].address != kNone) { // the same everywhere
    MemoryPlace out = place;
    out.address = kNone;
    return out;
  }
  const std::vector<ValueId> &parameters = facts_.functions[callee].parameters;
  const auto at = std::ranges::find(parameters, place.base);
  const auto operands = facts_.operandsOf(facts_.statements[call]);
  const auto i = static_cast<size_t>(at - parameters.begin());
  if (place.base == kNone || at == parameters.end() || i >= operands.size()) return {};
  MemoryPlace out = placeOf(view_.functionOf(call), operands[i]);
  out.address = kNone;
  out.offset += place.offset;
  out.isExact &= place.isExact;
  return out;
}

/// Is the pointer at the place among the bytes that begin here?
static bool covers(const MemoryPlace &here, uint64_t bytes, const MemoryPlace &place) {
  constexpr uint64_t kPointerBytes = 8;
  return here.isExact && place.isExact && here.base == place.base && here.offset <= place.offset &&
         bytes >= kPointerBytes &&
         static_cast<uint64_t>(place.offset) - static_cast<uint64_t>(here.offset) <=
             bytes - kPointerBytes;
}

bool Overwrites::at(StatementId id, const MemoryPlace &place) {
  const Statement &s = facts_.statements[id];
  if (s.kind == StatementKind::Call) return atCall(id, place);
  if (s.kind != StatementKind::Store) return false;
  const MemoryPlace here = placeOf(view_.functionOf(id), facts_.operandsOf(s)[0]);
  return here.address == place.address || covers(here, s.bytes, place);
}

/// 0: not known.
uint64_t Overwrites::bytesWritten(StatementId call, uint32_t operand) const {
  const Statement &s = facts_.statements[call];
  const CallSite &site = facts_.calls[s.extra];
  if (!site.summary) return 0;
  if (site.summary->copies())
    return site.summary->to == static_cast<int>(operand) ? site.copiedBytes : 0;
  const auto lengthAt = static_cast<uint32_t>(site.summary->lengthAt);
  if (!site.summary->sets || operand != 0 || s.numOperands <= lengthAt) return 0;
  const auto length = facts_.numbers.find(facts_.operandsOf(s)[lengthAt]);
  if (length == facts_.numbers.end() || length->second < 0) return 0;
  return static_cast<uint64_t>(length->second);
}

bool Overwrites::isReallocation(const CallSite &site) const {
  const Summary *summary = view_.summaryOf(site);
  return summary && summary->allocates != Allocates::Nothing;
}

bool Overwrites::atCall(StatementId id, const MemoryPlace &place) {
  if (place.base == kNone) return false;
  const Statement &s = facts_.statements[id];
  const CallSite &site = facts_.calls[s.extra];
  const auto operands = facts_.operandsOf(s);
  const std::vector<FunctionId> &callees = view_.pts.callees(s.extra);
  const bool isOne = site.callee != kNone || callees.size() == 1;
  for (uint32_t i = 0; i < operands.size(); i++) {
    if (!facts_.values[operands[i]].mayPoint) continue;
    const MemoryPlace here = placeOf(view_.functionOf(id), operands[i]);
    if (here.base != place.base || !here.isExact) continue;
    if (isOne && view_.useOf(id, i) == UseKind::Freed) {
      if (here.offset == 0 && !isReallocation(site)) return true; // what it held moves
      continue;
    }
    if (covers(here, bytesWritten(id, i), place)) return true;
    if (!site.summary && place.isExact && !callees.empty() &&
        std::ranges::all_of(callees, [&](FunctionId callee) {
          return always(callee, i, place.offset - here.offset);
        }))
      return true;
  }
  return false;
}

bool Overwrites::always(FunctionId id, uint32_t parameter, int64_t offset) {
  const Function &f = facts_.functions[id];
  if (!f.isOwn || f.numBlocks == 0 || f.summary || parameter >= f.parameters.size()) return false;
  // Recursion: not known yet, so no; also where it asks of another offset each time.
  if (asked_.contains(id)) return false;
  const auto [known, isNew] = always_.try_emplace({id, parameter, offset}, false);
  if (!isNew) return known->second;
  const MemoryPlace place{.base = f.parameters[parameter], .offset = offset, .isExact = true};
  Known notNull; // something is there
  notNull.assumeNumber(place.base, 0, false);
  const WayBars bars{.statement = [&](StatementId s) { return at(s, place); }};
  asked_.insert(id);
  known->second = !view_.ways(id).exists(kNone, notNull, WayEnd::returns(), bars);
  asked_.erase(id);
  return known->second;
}

} // namespace fathom::statics
