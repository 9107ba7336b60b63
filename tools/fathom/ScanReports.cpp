// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanReports.h"

#include "Documents.h"

#include "evidence/BugKind.h"
#include "report/ScanReport.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fathom::tool {

namespace {

using evidence::BugKind;

nlohmann::json jsonOf(const statics::ReportStep &s) {
  nlohmann::json step = {{"file", s.file},
                         {"line", s.line},
                         {"column", s.column},
                         {"function", s.function},
                         {"text", s.text}};
  if (s.statement != statics::kNone) step["statement"] = s.statement;
  return step;
}

nlohmann::json jsonOf(const std::vector<statics::ReportStep> &steps) {
  nlohmann::json list = nlohmann::json::array();
  for (const statics::ReportStep &step : steps) list.push_back(jsonOf(step));
  return list;
}

nlohmann::json jsonOf(const statics::Report &report, const std::string &print) {
  const statics::ReportStep &sink = report.sink();
  return {{"kind", evidence::name(report.kind)},
          {"cwe", evidence::cwe(report.kind)},
          {"message", report.message},
          {"file", sink.file},
          {"line", sink.line},
          {"column", sink.column},
          {"function", sink.function},
          {"fingerprint", print},
          {"doubts", report.doubts},
          {"steps", jsonOf(report.steps)},
          {"alsoAt", jsonOf(report.alsoAt.listed)},
          {"alsoAtMore", report.alsoAt.more},
          {"alsoFrom", jsonOf(report.alsoFrom.listed)},
          {"alsoFromMore", report.alsoFrom.more}};
}

std::string countsText(const std::vector<statics::Report> &reports) {
  size_t counts[evidence::kBugKinds] = {};
  for (const statics::Report &r : reports) counts[size_t(r.kind)]++;
  size_t more = 0;
  for (const statics::Report &r : reports) more += r.alsoAt.count();
  std::string out = counted(reports.size(), "report");
  const char *separator = ": ";
  for (const BugKind kind : evidence::scanKinds()) {
    const size_t count = counts[size_t(kind)];
    if (!count) continue;
    out += fmt::format("{}{} {}", separator, grouped(double(count)), evidence::name(kind));
    separator = ", ";
  }
  if (more)
    out += fmt::format("; with {} that {}", counted(more, "further place"),
                       more == 1 ? "follows" : "follow");
  return out;
}

} // namespace

std::string defectKindNames() {
  std::string names;
  for (const BugKind kind : evidence::scanKinds())
    names += (names.empty() ? "" : ", ") + std::string(evidence::name(kind));
  return names;
}

/// --kinds use-after-free,...; all without it.
statics::DefectKinds defectKinds(const ScanFlags &flags) {
  statics::DefectKinds kinds = 0;
  for (const std::string &name : flags.kinds) {
    const auto before = kinds;
    for (const BugKind kind : evidence::scanKinds())
      if (name == evidence::name(kind)) kinds |= statics::bitOf(kind);
    if (kinds == before)
      throw UsageError(fmt::format("--kinds {}: expected {}", name, defectKindNames()));
  }
  return flags.kinds.empty() ? statics::kEveryKind : kinds;
}

void checkReportFlags(const ScanFlags &flags) {
  (void)defectKinds(flags);
  if (flags.assertions && !flags.kinds.empty())
    throw UsageError("--assertions and --kinds exclude each other: --kinds chooses among reports");
  if (flags.baseline.empty()) return;
  requireRegularFile("--baseline", flags.baseline);
  (void)orUsage(report::readBaseline(flags.baseline));
}

int showReports(const report::ScanResult &result, const ScanFlags &flags, Context &context) {
  const std::vector<statics::Report> &reports = result.reports;
  if (!result.cutText.empty() && !flags.common.json && !flags.common.quiet)
    fmt::print("{}\n", result.cutText);
  report::SourceLines sources;
  report::Baseline baseline;
  if (!flags.baseline.empty()) baseline = orUsage(report::readBaseline(flags.baseline));
  // What cut it short was told before, to people; documents have it too.
  std::vector<std::string> notes = result.notes;
  if (!result.cutText.empty()) notes.insert(notes.begin(), result.cutText);
  if (!flags.sarif.empty()) {
    const report::ScanSarif options{flags.baseline.empty() ? nullptr : &baseline, notes,
                                    result.isComplete, result.cut};
    writeDocument("--sarif", flags.sarif, [&](llvm::raw_ostream &out) {
      report::writeScanSarif(out, reports, sources, options);
    });
  }
  if (flags.common.json) {
    const std::vector<std::string> prints = report::scanFingerprints(reports, sources);
    const nlohmann::json members = {
        {"notes", notes}, {"complete", result.isComplete}, {"seconds", result.seconds}};
    printWithList(members, "reports", reports.size(),
                  [&](size_t i) { return jsonOf(reports[i], prints[i]); });
  } else {
    if (!flags.common.quiet) {
      for (const statics::Report &r : reports) fmt::print("{}\n", report::scanText(r, sources));
      fmt::print("{}\n", countsText(reports));
    }
    for (const std::string &note : result.notes) context.log.warn(note);
  }
  return flags.common.failOnFindings && !reports.empty() ? kFindings : kDone;
}

} // namespace fathom::tool
