// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanReports.h"

#include "Documents.h"

#include "evidence/BugKind.h"
#include "report/ScanReport.h"
#include "statics/checkers/Alarms.h"
#include "statics/translate/Translate.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace fathom::tool {

namespace {

using evidence::BugKind;

/// --kinds use-after-free,...; all without it.
statics::DefectKinds kindsOf(const ScanFlags &flags) {
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

/// A call depth and a number of statements that a whole program can be analysed with.
constexpr uint64_t kMaxStatements = 40'000;

/// Bounds and divisions, and what null does there, in a turn of their own.
///
/// \returns  the kinds of which reports are missing.
statics::DefectKinds addAlarms(const llvm::Module &module, statics::DefectKinds kinds,
                               const ScanFlags &flags, ScanBudget &budget,
                               statics::CheckContext &check) {
  using namespace statics::abstract;
  const statics::DefectKinds alarms = kinds & statics::kAlarmKinds;
  if (!alarms) return 0;
  check.time.begin();
  if (check.time.isOver()) return alarms;
  statics::TranslateOptions translate;
  translate.entry = flags.entry;
  const AbstractProgram program = statics::translate(module, translate);
  AnalysisOptions options;
  options.domain = DomainKind::Intervals;
  options.mostStatements = kMaxStatements;
  budget.begin("bounds and divisions");
  const AnalysisResult result =
      statics::abstract::analyse(program, options, [&] { return check.time.share(); });
  statics::reportAlarms(check, program, result, kinds);
  return result.isPartial ? alarms : 0;
}

std::string namesOf(statics::DefectKinds kinds) {
  std::vector<const char *> names;
  for (const BugKind kind : evidence::scanKinds())
    if (kinds & statics::bitOf(kind)) names.push_back(evidence::name(kind));
  return fmt::format("{}", fmt::join(names, ", "));
}

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

void checkReportFlags(const ScanFlags &flags) {
  (void)kindsOf(flags);
  if (flags.assertions && !flags.kinds.empty())
    throw UsageError("--assertions and --kinds exclude each other: --kinds chooses among reports");
  if (!flags.mostReports) throw UsageError("--most-reports 0: expected at least 1");
  if (flags.baseline.empty()) return;
  requireRegularFile("--baseline", flags.baseline);
  (void)orUsage(report::readBaseline(flags.baseline));
}

std::string reportsQuestion(const ScanFlags &flags) {
  return fmt::format("reports\n{}\n{}\n", namesOf(kindsOf(flags)), flags.mostReports);
}

report::ScanResult findReports(const llvm::Module &module, const statics::ValueFlow &flow,
                               const ScanFlags &flags, ScanBudget &budget, Context &context) {
  const auto begin = std::chrono::steady_clock::now();
  statics::View view(flow);
  const statics::DefectKinds kinds = kindsOf(flags);
  statics::Reports collected(flags.mostReports, kinds);
  // The steps before may have used up all there is.
  const bool hasBegun = !budget.stop();
  if (hasBegun) budget.begin("defects");
  statics::Turns time(
      budget.stop(), [&] { return budget.timeShare(); },
      statics::countCheckers(kinds) + ((kinds & statics::kAlarmKinds) != 0));
  statics::CheckContext check{view, collected, time};
  report::ScanResult out;
  statics::DefectKinds cut = statics::runCheckers(check, kinds);
  cut |= addAlarms(module, kinds, flags, budget, check);
  out.reports = collected.take();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  context.log.verbose(fmt::format("checkers: {:.2f} s", out.seconds));
  out.cutText =
      !hasBegun ? budget.report("", "no checker ran, so there are no reports")
                : budget.report(namesOf(cut), cut ? "reports of these kinds may be missing" : "");
  out.isComplete = !cut && !budget.isPartial();
  for (const BugKind kind : evidence::scanKinds())
    if (cut & statics::bitOf(kind)) out.cut.push_back(kind);
  if (collected.left)
    out.notes.push_back(fmt::format("{} left out: more than {} of a kind (--most-reports)",
                                    counted(collected.left, "report"), flags.mostReports));
  if (check.cut)
    out.notes.push_back(
        fmt::format("{} ended at a bound: reports may be missing", counted(check.cut, "flow")));
  const bool hasLines = std::any_of(out.reports.begin(), out.reports.end(),
                                    [](const statics::Report &r) { return r.sink().line > 0; });
  if (!out.reports.empty() && !hasLines)
    out.notes.push_back(
        "the program has no debug lines: reports name functions only (build it with -g)");
  return out;
}

int showReports(const report::ScanResult &result, const ScanFlags &flags, Context &context) {
  const std::vector<statics::Report> &reports = result.reports;
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
