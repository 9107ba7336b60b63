// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Checkers.h"

#include "evidence/BugKind.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::statics {

namespace {
using evidence::BugKind;

struct Checker {
  DefectKinds kinds;
  void (*run)(CheckContext &);
  bool isByDefault = false; ///< scan runs it without --all, too
};
/// Those that take the least time come first: what they leave of their turns goes to the others.
constexpr Checker kCheckers[] = {
    {bitOf(BugKind::DangerousFunction), checkDangerousFunctions, /*isByDefault=*/true},
    {bitOf(BugKind::OutOfBoundsRead) | bitOf(BugKind::OutOfBoundsWrite), checkInputIndexes,
     /*isByDefault=*/true},
    {bitOf(BugKind::UninitializedRead), checkUninitialized},
    {bitOf(BugKind::InvalidFree), checkInvalidFrees},
    {bitOf(BugKind::FormatString), checkFormats, /*isByDefault=*/true},
    {bitOf(BugKind::Leak) | bitOf(BugKind::HandleLeak), checkLeaks},
    {bitOf(BugKind::UseAfterFree) | bitOf(BugKind::DoubleFree), checkFreed},
    {bitOf(BugKind::NullDereference), checkNull},
};
} // namespace

DefectKinds checkedByDefault() {
  DefectKinds out = 0;
  for (const Checker &checker : kCheckers)
    if (checker.isByDefault) out |= checker.kinds;
  return out;
}

size_t countCheckers(DefectKinds kinds) {
  return static_cast<size_t>(std::ranges::count_if(
      kCheckers, [&](const Checker &checker) { return (checker.kinds & kinds) != 0; }));
}

DefectKinds runCheckers(CheckContext &context, DefectKinds kinds) {
  DefectKinds cut = 0;
  for (const Checker &checker : kCheckers) {
    if (!(checker.kinds & kinds)) continue;
    context.time.begin();
    if (!context.time.isOver()) checker.run(context);
    if (context.time.isOver()) cut |= checker.kinds & kinds;
  }
  return cut;
}

Reports::Place Reports::placeOf(const ReportStep &step) {
  if (step.line == 0) return {step.function, 0, step.statement};
  return {step.file, step.line, step.column};
}

void Reports::add(Report report) {
  if (!(bitOf(report.kind) & kinds_)) return;
  auto [known, isNew] = known_.try_emplace(
      {report.kind, placeOf(report.source()), placeOf(report.sink())}, reports_.size());
  if (!isNew) {
    Report &old = reports_[known->second];
    if (report.doubts < old.doubts) std::swap(old, report);
    old.alsoAt.add(std::move(report.alsoAt));
    old.alsoFrom.add(std::move(report.alsoFrom));
    return;
  }
  if (count_[static_cast<size_t>(report.kind)]++ >= most_) {
    known_.erase(known);
    left++;
    return;
  }
  if (report.sink().statement != kNone)
    bySink_.try_emplace({report.kind, report.sink().statement}, reports_.size());
  reports_.push_back(std::move(report));
}

void Reports::addPlace(BugKind kind, StatementId sink, ReportStep place) {
  if (const auto known = bySink_.find({kind, sink}); known != bySink_.end())
    reports_[known->second].alsoAt.add(std::move(place));
}

static std::pair<uint32_t, size_t> rankOf(const Report &report) {
  return {report.doubts, report.steps.size()};
}

void NearestReports::add(StatementId sink, uint32_t operand, Report report, Reports &counts) {
  const auto known = bySink_.find({sink, operand});
  if (known == bySink_.end()) {
    if (bySink_.size() >= std::max(kMost, counts.most()))
      counts.left++;
    else
      bySink_.emplace(std::pair(sink, operand), std::move(report));
  } else {
    Report &kept = known->second;
    if (rankOf(report) < rankOf(kept)) std::swap(kept, report);
    kept.alsoFrom.add(report.source());
    kept.alsoFrom.add(std::move(report.alsoFrom));
    kept.alsoAt.add(std::move(report.alsoAt));
  }
}

std::vector<NearestReports::Taken> NearestReports::take() {
  std::multimap<std::pair<uint32_t, size_t>, Taken> byRank;
  for (auto &[sink, report] : bySink_) {
    const auto rank = rankOf(report);
    byRank.emplace(rank, Taken{sink.second, std::move(report)});
  }
  std::vector<Taken> out;
  for (auto &[rank, taken] : byRank) out.push_back(std::move(taken));
  bySink_.clear();
  return out;
}

void NearestReports::giveTo(Reports &reports) {
  for (auto &[operand, report] : take()) reports.add(std::move(report));
}

/// If a defect is in a thin wrapper, its message also names the nearest call outside of wrappers.
static void nameCaller(Report &report) {
  const ReportStep &sink = report.sink();
  if (!sink.isThinWrapper) return;
  for (size_t i = report.steps.size() - 1; i-- > 0;) {
    const ReportStep &step = report.steps[i];
    if (step.isThinWrapper || step.function == sink.function) continue;
    report.message += fmt::format(" (for {}, {})", step.function, placeText(step));
    return;
  }
}

std::vector<Report> Reports::take() {
  std::sort(reports_.begin(), reports_.end(), [](const Report &a, const Report &b) {
    const ReportStep &x = a.sink(), &y = b.sink(), &u = a.source(), &v = b.source();
    // Kinds in the order of scan's messages.
    const auto *k = std::ranges::find(evidence::scanKinds(), a.kind).base(),
               *l = std::ranges::find(evidence::scanKinds(), b.kind).base();
    return std::tie(k, a.doubts, x.file, x.line, x.column, u.file, u.line, u.column) <
           std::tie(l, b.doubts, y.file, y.line, y.column, v.file, v.line, v.column);
  });
  known_.clear();
  bySink_.clear();
  for (Report &report : reports_) {
    nameCaller(report);
    // The wrapper and the call in it may be one place to people.
    std::erase_if(report.alsoFrom.listed, [&](const ReportStep &other) {
      return placeOf(other) == placeOf(report.source());
    });
    for (ReportPlaces *places : {&report.alsoAt, &report.alsoFrom})
      std::sort(places->listed.begin(), places->listed.end(),
                [](const ReportStep &a, const ReportStep &b) {
                  return std::tie(a.file, a.line, a.column, a.function, a.statement) <
                         std::tie(b.file, b.line, b.column, b.function, b.statement);
                });
  }
  return std::move(reports_);
}

} // namespace fathom::statics
