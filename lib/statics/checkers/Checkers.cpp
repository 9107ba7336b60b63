// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Checkers.h"

#include <algorithm>

namespace fathom::statics {

namespace {
constexpr DefectKinds bit(DefectKind kind) {
  return static_cast<DefectKinds>(1u << static_cast<unsigned>(kind));
}

struct Checker {
  DefectKinds kinds;
  void (*run)(CheckContext &);
};
constexpr Checker kCheckers[] = {
    {bit(DefectKind::UseAfterFree) | bit(DefectKind::DoubleFree), checkFreed},
    {bit(DefectKind::NullDereference), checkNull},
    {bit(DefectKind::MemoryLeak) | bit(DefectKind::HandleLeak), checkLeaks},
    {bit(DefectKind::UninitializedRead), checkUninitialized},
    {bit(DefectKind::InvalidFree), checkInvalidFrees},
};
} // namespace

bool runCheckers(CheckContext &context, DefectKinds kinds) {
  for (const Checker &checker : kCheckers) {
    if (!(checker.kinds & kinds)) continue;
    if (context.stop) return false;
    checker.run(context);
  }
  return !context.stop;
}

void Reports::add(Report report) {
  const ReportStep &from = report.source(), &to = report.sink();
  auto [known, isNew] = known_.try_emplace(
      {report.kind, from.file, from.line, from.column, to.file, to.line, to.column},
      reports_.size());
  if (!isNew) {
    Report &old = reports_[known->second];
    if (report.doubts < old.doubts) old = std::move(report);
    return;
  }
  if (count_[static_cast<size_t>(report.kind)]++ >= most_) {
    known_.erase(known);
    left++;
    return;
  }
  reports_.push_back(std::move(report));
}

std::vector<Report> Reports::take() {
  std::sort(reports_.begin(), reports_.end(), [](const Report &a, const Report &b) {
    const ReportStep &x = a.sink(), &y = b.sink(), &u = a.source(), &v = b.source();
    return std::tie(a.kind, a.doubts, x.file, x.line, x.column, u.file, u.line, u.column) <
           std::tie(b.kind, b.doubts, y.file, y.line, y.column, v.file, v.line, v.column);
  });
  known_.clear();
  return std::move(reports_);
}

} // namespace fathom::statics
