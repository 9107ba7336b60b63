// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreedReports.h"

#include "evidence/BugKind.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::statics {

FreedReports::Chain FreedReports::chainOf(StatementId sink, uint32_t operand) {
  constexpr unsigned kMaxLoads = 6;
  constexpr int64_t kAnyOffset = -1;
  const FunctionId f = view_.functionOf(sink);
  ValueNumbers &numbers = view_.ways(f).numbers;
  ValueId value = numbers.base(view_.facts.operandsOf(view_.facts.statements[sink])[operand]);
  Chain out;
  for (unsigned i = 0; i < kMaxLoads; i++) {
    const Value &v = view_.facts.values[value];
    if (v.function != f || v.definition == kNone) break;
    const Statement &s = view_.facts.statements[v.definition];
    if (s.kind != StatementKind::Load) break;
    const MemoryPlace place = overwrites_.placeOf(f, view_.facts.operandsOf(s)[0]);
    if (place.base == kNone) break;
    out.push_back(place.isExact ? place.offset : kAnyOffset);
    value = place.base;
  }
  out.push_back(value);
  return out;
}

bool FreedReports::isNew(StatementId event, StatementId sink, uint32_t operand) {
  return known_.insert({event, view_.functionOf(sink), chainOf(sink, operand)}).second;
}

void FreedReports::add(const FreedUse &use, Reports &counts) {
  chains_.try_emplace({use.sink, use.operand}, chainOf(use.sink, use.operand));
  nearest_.add(use.sink, use.operand, freedReport(view_, use), counts);
}

std::vector<FreedReports::Key> FreedReports::keysOf(const NearestReports::Taken &taken) const {
  const Report &report = taken.report;
  const ReportStep &sink = report.sink();
  const FunctionId f = view_.functionOf(sink.statement);
  const Chain &chain = chains_.at({sink.statement, taken.operand});
  // One free, and what one function frees again after it: a reader of the one place sees the
  // others. `free(a->x); free(a->y); free(a->z)` are each other's sources. Of uses, those through
  // one chain.
  const bool isAgain = report.kind == evidence::BugKind::DoubleFree;
  std::vector<Key> keys;
  const auto add = [&](const ReportStep &source) {
    keys.push_back({report.kind, f, source.statement, 0, isAgain ? Chain{} : chain});
  };
  add(report.source());
  for (const ReportStep &source : report.alsoFrom.listed) add(source);
  // One line that uses or frees one pointer in several statements, as a macro does.
  if (sink.line != 0) keys.push_back({report.kind, f, kNone, sink.line, chain});
  return keys;
}

static void tell(Report &by, Report &report) {
  ReportStep place = report.sink();
  place.text = fmt::format("{}: {}", evidence::name(report.kind), place.text);
  by.alsoAt.add(std::move(place));
  by.alsoAt.add(std::move(report.alsoAt));
  by.alsoFrom.add(report.source());
  by.alsoFrom.add(std::move(report.alsoFrom));
}

void FreedReports::giveTo(Reports &reports) {
  std::vector<NearestReports::Taken> all = nearest_.take();
  // By report: an earlier one that it has a key in common with, or itself.
  std::vector<size_t> earlier(all.size());
  const auto first = [&](size_t i) {
    while (earlier[i] != i) i = earlier[i] = earlier[earlier[i]];
    return i;
  };
  std::map<Key, size_t> known;
  for (size_t i = 0; i < all.size(); i++) {
    earlier[i] = i;
    for (Key &key : keysOf(all[i])) {
      const size_t a = first(known.try_emplace(std::move(key), i).first->second), b = first(i);
      earlier[std::max(a, b)] = std::min(a, b);
    }
  }
  // The one with the fewest guesses and steps tells the others.
  for (size_t i = 0; i < all.size(); i++)
    if (first(i) != i) tell(all[first(i)].report, all[i].report);
  for (size_t i = 0; i < all.size(); i++)
    if (earlier[i] == i) reports.add(std::move(all[i].report));
}

} // namespace fathom::statics
