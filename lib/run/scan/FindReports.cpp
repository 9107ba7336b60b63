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
#include <map>

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

namespace {

bool isShown(statics::Certainty certainty, const ScanOptions &options) {
  switch (certainty) {
  case statics::Certainty::Must:
  case statics::Certainty::May:
  case statics::Certainty::Lookup: return true;
  case statics::Certainty::Allocation: return options.all || options.allocationFailures;
  default: return options.all;
  }
}

/// What tells that two reports are of one mistake: one place, or one source in one function; of
/// uses after free, one line.
using Mark = std::tuple<BugKind, std::string, uint32_t, uint32_t, std::string>;

/// Of uses after free: the line.
std::optional<Mark> lineMarkOf(const statics::Report &report) {
  const statics::ReportStep &sink = report.sink();
  if (report.kind != BugKind::UseAfterFree || !sink.line) return std::nullopt;
  return Mark(report.kind, sink.file, sink.line, 0, "");
}

std::vector<Mark> marksOf(const statics::Report &report) {
  std::vector<Mark> out;
  // Without debug lines, a place is its statement.
  const auto addPlace = [&](const statics::ReportStep &at) {
    if (at.line)
      out.emplace_back(report.kind, at.file, at.line, at.column, "");
    else
      out.emplace_back(report.kind, "", at.statement, statics::kNone, "");
  };
  // Several blocks may be lost at one return.
  if (report.kind != BugKind::Leak && report.kind != BugKind::HandleLeak) addPlace(report.sink());
  if (auto mark = lineMarkOf(report)) out.push_back(std::move(*mark));
  for (const statics::ReportStep &at : report.alsoAt.listed) addPlace(at);
  const statics::ReportStep &source = report.source();
  if (report.steps.size() > 1)
    out.emplace_back(report.kind, source.file, source.line ? source.line : source.statement, 0,
                     report.sink().function);
  return out;
}

/// Of two analyses: where both report the same, the one whose conditions were looked at says how
/// certain it is, and the other one where else it shows.
void addReports(std::vector<statics::Report> &reports, std::vector<statics::Report> more) {
  std::map<Mark, size_t> known;
  for (size_t i = 0; i < reports.size(); i++)
    for (Mark &mark : marksOf(reports[i])) known.try_emplace(std::move(mark), i);
  for (statics::Report &report : more) {
    size_t same = reports.size();
    for (const Mark &mark : marksOf(report))
      if (const auto at = known.find(mark); at != known.end()) same = std::min(same, at->second);
    if (same < reports.size()) {
      reports[same].certainty = std::min(reports[same].certainty, report.certainty);
      continue;
    }
    if (const auto mark = lineMarkOf(report)) known.try_emplace(*mark, same);
    reports.push_back(std::move(report));
  }
  const auto orderOf = [](const statics::Report &r) {
    const auto kind =
        std::ranges::find(evidence::scanKinds(), r.kind) - evidence::scanKinds().begin();
    const statics::ReportStep &sink = r.sink(), &source = r.source();
    return std::tuple(kind, r.certainty, r.doubts, sink.file, sink.line, sink.column, source.file,
                      source.line, source.column);
  };
  std::ranges::sort(reports, {}, orderOf);
}

/// Leaves at most so many of each kind. \returns  how many are left out.
uint64_t keepFirst(std::vector<statics::Report> &reports, size_t most) {
  std::map<BugKind, size_t> counts;
  return std::erase_if(reports, [&](const statics::Report &r) { return ++counts[r.kind] > most; });
}

/// How many reports are not shown, by certainty.
class Hidden {
public:
  explicit Hidden(const ScanOptions &options) : options_(options) {}
  /// Counts those that are not.
  bool shows(statics::Certainty certainty) {
    const bool isIt = isShown(certainty, options_);
    counts_[static_cast<size_t>(certainty)] += !isIt;
    return isIt;
  }
  void tell(std::vector<std::string> &notes) const {
    const auto add = [&](statics::Certainty certainty, const char *why) {
      if (const uint64_t n = counts_[static_cast<size_t>(certainty)])
        notes.push_back(fmt::format("{} not shown: {}", counted(n, "report"), why));
    };
    add(statics::Certainty::Allocation, "only if an allocation fails (--allocation-failures)");
    add(statics::Certainty::Callers, "up to callers that are not in the program (--all)");
    add(statics::Certainty::Unchecked, "conditions that could not be looked at together (--all)");
  }

private:
  const ScanOptions &options_;
  uint64_t counts_[statics::kCertainties] = {};
};

/// Reports of local heaps that are shown.
std::vector<statics::Report> heapReports(statics::View &view, const ScanOptions &options,
                                         AnalysisBudget &budget, Session &session, Hidden &hidden) {
  const statics::heap::HeapResult result = runLocalHeaps(view, options.jobs, budget, session);
  std::vector<statics::Report> reports;
  for (const statics::heap::HeapIssue &issue : result.issues)
    if (options.kinds & statics::bitOf(issue.issue.kind) && hidden.shows(issue.certainty))
      reports.push_back(statics::heap::reportOf(view, issue));
  return reports;
}

} // namespace

statics::heap::HeapResult runLocalHeaps(const statics::View &view, unsigned threads,
                                        AnalysisBudget &budget, Session &session) {
  budget.begin("local heaps");
  const auto begin = std::chrono::steady_clock::now();
  statics::heap::HeapResult result =
      statics::heap::analyseLocalHeaps(view, {}, threads, budget.stop());
  session.observer.verbose(
      fmt::format("local heaps: {:.2f} s, {}, {} of them ended by a bound",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                  counted(result.functions, "function"), result.cut));
  return result;
}

std::string kindNames(statics::DefectKinds kinds) {
  std::vector<const char *> names;
  for (const BugKind kind : evidence::scanKinds())
    if (kinds & statics::bitOf(kind)) names.push_back(evidence::name(kind));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string reportsQuestion(const ScanOptions &options) {
  return fmt::format("reports\n{}\n{}\n{}{}\n", kindNames(options.kinds), options.maxReports,
                     options.all, options.allocationFailures);
}

report::ScanResult findReports(const llvm::Module &module, const statics::ValueFlow &flow,
                               const ScanOptions &options, AnalysisBudget &budget,
                               Session &session) {
  const auto begin = std::chrono::steady_clock::now();
  statics::View view(flow);
  const statics::DefectKinds kinds = options.kinds;
  const statics::DefectKinds checked = options.all ? kinds : kinds & statics::checkedByDefault();
  // The order in which they are shown is known once all are there; far more than that are not kept.
  constexpr size_t kMaxKept = 20'000;
  statics::Reports collected(std::max(options.maxReports, kMaxKept), kinds);
  // The steps before may have used up all there is.
  const bool hasBegun = !budget.stop();
  if (hasBegun) budget.begin("defects");
  statics::Turns time(
      budget.stop(), [&] { return budget.timeShare(); },
      statics::countCheckers(checked) + (options.all && (kinds & statics::kAlarmKinds) != 0));
  statics::CheckContext check{view, collected, time};
  report::ScanResult out;
  Hidden hidden(options);
  std::vector<statics::Report> heaps;
  if (hasBegun) heaps = heapReports(view, options, budget, session, hidden);
  statics::DefectKinds cut = statics::runCheckers(check, checked);
  if (options.all) cut |= addAlarms(module, kinds, options, budget, check);
  out.reports = collected.take();
  std::erase_if(out.reports, [&](const statics::Report &r) { return !hidden.shows(r.certainty); });
  hidden.tell(out.notes);
  addReports(out.reports, std::move(heaps));
  const uint64_t left = collected.left + keepFirst(out.reports, options.maxReports);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  session.observer.verbose(fmt::format("checkers: {:.2f} s", out.seconds));
  out.cutText =
      !hasBegun ? budget.report("", "no checker ran, so there are no reports")
                : budget.report(kindNames(cut), cut ? "reports of these kinds may be missing" : "");
  out.isComplete = !cut && !budget.isPartial();
  for (const BugKind kind : evidence::scanKinds())
    if (cut & statics::bitOf(kind)) out.cut.push_back(kind);
  if (left)
    out.notes.push_back(fmt::format("{} left out: more than {} of a kind (--most-reports)",
                                    counted(left, "report"), options.maxReports));
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
