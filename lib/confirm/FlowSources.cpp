// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/FlowSources.h"

#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"

#include <algorithm>

namespace fathom::confirm {

/// Of each kind: they take a kilobyte each.
static constexpr size_t kMaxReports = 50'000;

FlowSources::FlowSources(const statics::ValueFlow &flow, const std::atomic<bool> &stop) {
  statics::View view(flow);
  statics::Reports reports(kMaxReports);
  statics::Turns time(stop);
  statics::CheckContext context{view, reports, time};
  (void)statics::runCheckers(context, statics::kEveryKind);
  for (const statics::Report &report : reports.take()) {
    Flow flow;
    if (!evidence::bugKindFromName(evidence::name(report.kind), flow.kind)) continue;
    const statics::ReportStep &sink = report.sink();
    flow.file = sink.file;
    for (const statics::ReportStep &step : report.steps)
      if (&step != &sink && step.line)
        flow.steps.push_back({step.file, step.line, step.column, step.text, step.role});
    if (flow.steps.empty()) continue;
    // Others report what follows as well, by its own place.
    for (const statics::ReportStep &place : report.alsoAt.listed)
      if (place.line && (place.line != sink.line || place.file != sink.file)) {
        bySinkLine_[place.line].push_back(flow);
        bySinkLine_[place.line].back().file = place.file;
      }
    if (sink.line) bySinkLine_[sink.line].push_back(std::move(flow));
  }
}

std::vector<std::vector<Place>> FlowSources::of(const Defect &defect) const {
  std::vector<std::vector<Place>> out;
  const auto known = bySinkLine_.find(defect.sink.line);
  if (known == bySinkLine_.end()) return out;
  for (const Flow &flow : known->second)
    if (defect.sink.isAt(flow.file, known->first) && defect.means(flow.kind))
      out.push_back(flow.steps);
  return out;
}

} // namespace fathom::confirm
