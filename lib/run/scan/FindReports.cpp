// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/FindReports.h"

#include "evidence/BugKind.h"
#include "statics/checkers/Alarms.h"
#include "statics/translate/Translate.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

namespace fathom::run {

namespace {

using evidence::BugKind;

/// A call depth and a number of statements that a whole program can be analysed with.
constexpr uint64_t kMaxStatements = 40'000;

/// Bounds and divisions, and what null does there, in a turn of their own.
///
/// \returns  the kinds of which reports are missing.
statics::DefectKinds addAlarms(const llvm::Module &module, statics::DefectKinds kinds,
                               const ScanOptions &options, AnalysisBudget &budget,
                               statics::CheckContext &check) {
  const statics::DefectKinds alarms = kinds & statics::kAlarmKinds;
  if (!alarms) return 0;
  check.time.begin();
  if (check.time.isOver()) return alarms;
  statics::TranslateOptions translate;
  translate.entry = options.entry;
  const statics::abstract::AbstractProgram program = statics::translate(module, translate);
  statics::abstract::AnalysisOptions intervals;
  intervals.domain = statics::abstract::DomainKind::Intervals;
  intervals.mostStatements = kMaxStatements;
  budget.begin("bounds and divisions");
  const statics::abstract::AnalysisResult result =
      statics::abstract::analyse(program, intervals, [&] { return check.time.share(); });
  statics::reportAlarms(check, program, result, kinds);
  return result.isPartial ? alarms : 0;
}

} // namespace

std::string kindNames(statics::DefectKinds kinds) {
  std::vector<const char *> names;
  for (const BugKind kind : evidence::scanKinds())
    if (kinds & statics::bitOf(kind)) names.push_back(evidence::name(kind));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string reportsQuestion(const ScanOptions &options) {
  return fmt::format("reports\n{}\n{}\n", kindNames(options.kinds), options.maxReports);
}

report::ScanResult findReports(const llvm::Module &module, const statics::ValueFlow &flow,
                               const ScanOptions &options, AnalysisBudget &budget,
                               Session &session) {
  const auto begin = std::chrono::steady_clock::now();
  statics::View view(flow);
  const statics::DefectKinds kinds = options.kinds;
  statics::Reports collected(options.maxReports, kinds);
  // The steps before may have used up all there is.
  const bool hasBegun = !budget.stop();
  if (hasBegun) budget.begin("defects");
  statics::Turns time(
      budget.stop(), [&] { return budget.timeShare(); },
      statics::countCheckers(kinds) + ((kinds & statics::kAlarmKinds) != 0));
  statics::CheckContext check{view, collected, time};
  report::ScanResult out;
  statics::DefectKinds cut = statics::runCheckers(check, kinds);
  cut |= addAlarms(module, kinds, options, budget, check);
  out.reports = collected.take();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  session.observer.verbose(fmt::format("checkers: {:.2f} s", out.seconds));
  out.cutText =
      !hasBegun ? budget.report("", "no checker ran, so there are no reports")
                : budget.report(kindNames(cut), cut ? "reports of these kinds may be missing" : "");
  out.isComplete = !cut && !budget.isPartial();
  for (const BugKind kind : evidence::scanKinds())
    if (cut & statics::bitOf(kind)) out.cut.push_back(kind);
  if (collected.left)
    out.notes.push_back(fmt::format("{} left out: more than {} of a kind (--most-reports)",
                                    counted(collected.left, "report"), options.maxReports));
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

} // namespace fathom::run
