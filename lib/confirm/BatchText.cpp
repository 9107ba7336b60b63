// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/BatchReport.h"

#include "confirm/VerdictText.h"
#include "evidence/BugKind.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::confirm {

BatchCounts countsOf(const Batch &batch, const ReportListing &listing) {
  BatchCounts out;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch.isWanted(i)) continue;
    if (listing.isDismissed(i)) {
      ++out.dismissed;
      continue;
    }
    const Finding &finding = batch.finding(i);
    ++out.reports;
    out.groups += batch.leader(i) == i;
    ++out.verdicts[finding.verdict];
    ++out.byRule[batch.defect(i).rule][finding.verdict];
    if (finding.verdict == Verdict::Open) ++out.cuts[finding.cut];
    out.distinct += isShown(finding.verdict) && batch.sameCause(i) == i;
  }
  return out;
}

namespace {

/// More open reports than that with one reason are told together.
constexpr size_t kManyAlike = 3;
/// ... and so many of their places are listed.
constexpr size_t kListed = 20;

/// Open reports by reason and what would settle them.
using Alike = std::map<std::pair<std::string, std::string>, std::vector<size_t>>;

Alike openByReason(const Batch &batch, const ReportListing &listing) {
  Alike out;
  for (size_t i = 0; i < batch.size(); ++i) {
    const Finding &finding = batch.finding(i);
    if (batch.isWanted(i) && listing.isListed(i) && finding.verdict == Verdict::Open)
      out[{finding.reason, settledBy(finding)}].push_back(i);
  }
  std::erase_if(out, [](const auto &alike) { return alike.second.size() <= kManyAlike; });
  return out;
}

/// Shown reports of one kind that begin at one place, as the uses of what one call of malloc
/// may return: by that place, with the reports that are told in one line.
class OneSource {
public:
  OneSource(const Batch &batch, const ReportListing &listing) : batch_(batch) {
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!batch.isWanted(i) || !listing.isListed(i) || batch.leader(i) != i) continue;
      if (!isShown(batch.finding(i).verdict)) continue;
      const std::string source = sourceOf(i);
      if (source.empty()) continue;
      std::vector<size_t> &all =
          bySource_[{batch.finding(i).verdict, batch.finding(i).kind, source}];
      all.push_back(i);
      if (all.size() > kWhole) told_.insert(i);
    }
  }

  /// Whether it is told with others.
  bool has(size_t i) const { return told_.contains(i); }

  void print(const TextSink &out) const {
    for (const auto &[key, reports] : bySource_) {
      if (reports.size() <= kWhole) continue;
      const auto &[verdict, kind, source] = key;
      out(fmt::format("{} are {} as well, {} from {}: {}\n",
                      counted(reports.size() - kWhole, "report"), name(verdict),
                      evidence::name(kind), source, places(reports)));
    }
  }

private:
  static constexpr size_t kWhole = 3; ///< told with their paths

  std::string sourceOf(size_t i) const {
    const Defect defect = batch_.located(i);
    if (defect.steps.empty() || defect.isSourceGuessed || !defect.steps[0].line) return "";
    return placeText(defect.steps[0].file, defect.steps[0].line, 0);
  }

  std::string places(const std::vector<size_t> &reports) const {
    std::string out;
    for (size_t k = kWhole; k < std::min(reports.size(), kWhole + kListed); ++k) {
      const Defect defect = batch_.located(reports[k]);
      out += (out.empty() ? "" : ", ") +
             placeText(defect.sink.file, defect.sink.line, defect.sink.column);
    }
    if (reports.size() > kWhole + kListed)
      out += fmt::format(" and {} more (--json lists all)", reports.size() - kWhole - kListed);
    return out;
  }

  const Batch &batch_;
  std::map<std::tuple<Verdict, evidence::BugKind, std::string>, std::vector<size_t>> bySource_;
  std::set<size_t> told_;
};

void printAlike(const Batch &batch, const Alike &alike, const TextSink &out) {
  for (const auto &[why, reports] : alike) {
    out(fmt::format("{} are open: {}\n", counted(reports.size(), "report"), why.first));
    if (!why.second.empty()) out(fmt::format("    would settle it: {}\n", why.second));
    for (size_t i = 0; i < std::min(kListed, reports.size()); ++i) {
      const Defect defect = batch.located(reports[i]);
      out(fmt::format("    {}: {}\n",
                      placeText(defect.sink.file, defect.sink.line, defect.sink.column),
                      defect.rule));
    }
    if (reports.size() > kListed)
      out(fmt::format("    and {} more (--json lists all)\n", reports.size() - kListed));
  }
}

/// What the page comes to, before its details.
std::string headline(const BatchCounts &counts) {
  const auto count = [&](Verdict verdict) { return countOf(counts.verdicts, verdict); };
  const uint64_t confirmed = count(Verdict::Confirmed);
  const std::string all = counted(counts.reports, "report");
  std::string out = "None of " + all + " is confirmed.";
  if (confirmed == 1) out = "1 of " + all + " is confirmed: the program itself shows it.";
  if (confirmed > 1)
    out = fmt::format("{} of {} are confirmed: the program itself shows them.", confirmed, all);
  out += fmt::format(" {} possible, {} open, {} refuted.\n", count(Verdict::Possible),
                     count(Verdict::Open), count(Verdict::Refuted));
  const auto most =
      std::ranges::max_element(counts.cuts, {}, [](const auto &c) { return c.second; });
  if (most != counts.cuts.end() && most->second > 1 && *settledBy(most->first))
    out += fmt::format("{} of the open ones would be settled by: {}\n", most->second,
                       settledBy(most->first));
  return out + "\n";
}

/// Reports as they are told: real ones first, and last what one can forget.
std::vector<size_t> inOrder(const Batch &batch, const ReportListing &listing) {
  std::vector<size_t> out;
  for (size_t i = 0; i < batch.size(); ++i)
    if (batch.isWanted(i) && listing.isListed(i)) out.push_back(i);
  const auto rankOf = [&](size_t i) {
    const Verdict verdict = batch.finding(i).verdict;
    return verdict == Verdict::Refuted ? std::size(kVerdicts) : static_cast<size_t>(verdict);
  };
  std::ranges::sort(out, {}, [&](size_t i) { return std::pair(rankOf(i), i); });
  return out;
}

} // namespace

void writeVerdictsText(const Batch &batch, const BatchCounts &counts, double seconds,
                       const TextSink &out, const ReportListing &listing) {
  report::SourceLines sources;
  const Alike alike = openByReason(batch, listing);
  const OneSource oneSource(batch, listing);
  const auto isTogether = [&](const Finding &finding) {
    return finding.verdict == Verdict::Open && alike.contains({finding.reason, settledBy(finding)});
  };
  if (counts.reports > 1) out(headline(counts));
  std::vector<PathStep> before; // the path that was told last
  bool isShownPart = true;
  for (const size_t i : inOrder(batch, listing)) {
    const Finding &finding = batch.finding(i);
    if (isShownPart && !isShown(finding.verdict)) {
      oneSource.print(out);
      isShownPart = false;
    }
    if (isTogether(finding) || oneSource.has(i)) continue;
    const size_t leader = batch.leader(i);
    if (leader != i) {
      out(memberText(batch.located(i), finding, batch.located(leader)) + listing.notes(i));
      continue;
    }
    out(verdictText(batch.located(i), finding, before, sources) + listing.notes(i));
    if (!finding.path.empty()) before = finding.path;
  }
  if (isShownPart) oneSource.print(out);
  printAlike(batch, alike, out);
  const auto count = [&](Verdict verdict) { return countOf(counts.verdicts, verdict); };
  std::string open;
  for (auto &[cut, n] : counts.cuts)
    open += fmt::format("{}{} {}", open.empty() ? " (" : ", ", n, name(cut));
  if (!open.empty()) open += ")";
  const uint64_t possible = count(Verdict::Possible);
  out(fmt::format("{}{}: {} confirmed, {}{} refuted, {} open{}, in {:.1f} s\n",
                  counts.reports ? "\n" : "", counted(counts.reports, "report"),
                  count(Verdict::Confirmed), possible ? fmt::format("{} possible, ", possible) : "",
                  count(Verdict::Refuted), count(Verdict::Open), open, seconds));
  if (counts.groups < counts.reports)
    out(fmt::format("{} (the others report the same)\n",
                    counted(counts.groups, "distinct report")));
  const uint64_t shown = count(Verdict::Confirmed) + possible;
  if (counts.distinct < shown)
    out(fmt::format("{} {} end at {}\n", shown,
                    possible ? "confirmed and possible reports" : "confirmed reports",
                    counted(counts.distinct, "place")));
  if (possible)
    out("possible: a path from an inner function shows it; whether callers pass what it needs is "
        "not known\n");
  if (counts.dismissed)
    out(fmt::format("{} dismissed, and not counted\n", counted(counts.dismissed, "report")));
  if (batch.kept())
    out(fmt::format("{} kept from earlier runs\n", counted(batch.kept(), "verdict")));
}

} // namespace fathom::confirm
