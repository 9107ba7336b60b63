// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConfirmOutput.h"

#include "Documents.h"

#include "confirm/VerdictSarif.h"
#include "confirm/VerdictText.h"
#include "evidence/BugKind.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace fathom::tool {

using confirm::Batch;
using confirm::Defect;
using confirm::Finding;
using confirm::Verdict;

ConfirmCounts countsOf(const Batch &batch) {
  ConfirmCounts out;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch.isWanted(i)) continue;
    const Finding &finding = batch.finding(i);
    ++out.reports;
    out.groups += batch.leader(i) == i;
    ++out.verdicts[finding.verdict];
    ++out.byRule[batch.defect(i).rule][finding.verdict];
    if (finding.verdict == Verdict::Open) ++out.cuts[finding.cut];
    if (finding.verdict != Verdict::Confirmed) continue;
    out.distinct += batch.sameCause(i) == i;
    const bool isFromMain = finding.feasibleFrom == "main";
    out.fromMain += isFromMain;
    out.notFromCallers += !isFromMain && !finding.notFurther.empty();
  }
  return out;
}

namespace {

/// So many open reports with one reason are told together.
constexpr size_t kManyAlike = 10;
/// ... and so many of their places are listed.
constexpr size_t kListed = 20;

/// Open reports by reason and what would settle them.
using Alike = std::map<std::pair<std::string, std::string>, std::vector<size_t>>;

Alike openByReason(const Batch &batch) {
  Alike out;
  for (size_t i = 0; i < batch.size(); ++i) {
    const Finding &finding = batch.finding(i);
    if (batch.isWanted(i) && finding.verdict == Verdict::Open)
      out[{finding.reason, confirm::settledBy(finding)}].push_back(i);
  }
  std::erase_if(out, [](const auto &alike) { return alike.second.size() <= kManyAlike; });
  return out;
}

/// Confirmed reports of one kind that begin at one place, as the uses of what one call of malloc
/// may return: by that place, with the reports that are told in one line.
class OneSource {
public:
  explicit OneSource(const Batch &batch) : batch_(batch) {
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!batch.isWanted(i) || batch.leader(i) != i) continue;
      if (batch.finding(i).verdict != Verdict::Confirmed) continue;
      const std::string source = sourceOf(i);
      if (source.empty()) continue;
      std::vector<size_t> &all = bySource_[{batch.finding(i).kind, source}];
      all.push_back(i);
      if (all.size() > kWhole) told_.insert(i);
    }
  }

  /// Whether it is told with others.
  bool has(size_t i) const { return told_.contains(i); }

  void print() const {
    for (const auto &[key, reports] : bySource_) {
      if (reports.size() <= kWhole) continue;
      fmt::print("{} are confirmed as well, {} from {}: {}\n",
                 counted(reports.size() - kWhole, "report"), evidence::name(key.first), key.second,
                 places(reports));
    }
  }

private:
  static constexpr size_t kWhole = 3; ///< told with their paths

  std::string sourceOf(size_t i) const {
    const Defect defect = batch_.located(i);
    if (defect.steps.empty() || defect.isSourceGuessed || !defect.steps[0].line) return "";
    return confirm::placeText(defect.steps[0].file, defect.steps[0].line, 0);
  }

  std::string places(const std::vector<size_t> &reports) const {
    std::string out;
    for (size_t k = kWhole; k < std::min(reports.size(), kWhole + kListed); ++k) {
      const Defect defect = batch_.located(reports[k]);
      out += (out.empty() ? "" : ", ") +
             confirm::placeText(defect.sink.file, defect.sink.line, defect.sink.column);
    }
    if (reports.size() > kWhole + kListed)
      out += fmt::format(" and {} more (--json lists all)", reports.size() - kWhole - kListed);
    return out;
  }

  const Batch &batch_;
  std::map<std::pair<evidence::BugKind, std::string>, std::vector<size_t>> bySource_;
  std::set<size_t> told_;
};

void printAlike(const Batch &batch, const Alike &alike) {
  for (const auto &[why, reports] : alike) {
    fmt::print("{} are open: {}\n", counted(reports.size(), "report"), why.first);
    if (!why.second.empty()) fmt::print("    would settle it: {}\n", why.second);
    for (size_t i = 0; i < std::min(kListed, reports.size()); ++i) {
      const Defect defect = batch.located(reports[i]);
      fmt::print("    {}: {}\n",
                 confirm::placeText(defect.sink.file, defect.sink.line, defect.sink.column),
                 defect.rule);
    }
    if (reports.size() > kListed)
      fmt::print("    and {} more (--json lists all)\n", reports.size() - kListed);
  }
}

} // namespace

void printVerdicts(const Batch &batch, const ConfirmCounts &counts, double seconds) {
  report::SourceLines sources;
  const Alike alike = openByReason(batch);
  const OneSource oneSource(batch);
  const auto isTogether = [&](const Finding &finding) {
    return finding.verdict == Verdict::Open &&
           alike.contains({finding.reason, confirm::settledBy(finding)});
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch.isWanted(i) || isTogether(batch.finding(i)) || oneSource.has(i)) continue;
    const size_t leader = batch.leader(i);
    const std::string text =
        leader == i
            ? confirm::verdictText(batch.located(i), batch.finding(i), sources)
            : confirm::memberText(batch.located(i), batch.finding(i), batch.located(leader));
    fputs(text.c_str(), stdout);
  }
  oneSource.print();
  printAlike(batch, alike);
  const auto count = [&](Verdict verdict) {
    const auto known = counts.verdicts.find(verdict);
    return known == counts.verdicts.end() ? 0 : known->second;
  };
  std::string open;
  for (auto &[cut, n] : counts.cuts)
    open += fmt::format("{}{} {}", open.empty() ? " (" : ", ", n, confirm::name(cut));
  if (!open.empty()) open += ")";
  fmt::print("{}{}: {} confirmed, {} refuted, {} open{}, in {:.1f} s\n", counts.reports ? "\n" : "",
             counted(counts.reports, "report"), count(Verdict::Confirmed), count(Verdict::Refuted),
             count(Verdict::Open), open, seconds);
  if (counts.groups < counts.reports)
    fmt::print("{} (the others report the same)\n", counted(counts.groups, "distinct report"));
  if (counts.distinct < count(Verdict::Confirmed))
    fmt::print("{} end at {}\n", counted(count(Verdict::Confirmed), "confirmed report"),
               counted(counts.distinct, "place"));
  if (counts.notFromCallers)
    fmt::print("{} not shown from main: whether callers pass what the path needs is open\n",
               counted(counts.notFromCallers, "confirmed report"));
  if (batch.kept()) fmt::print("{} kept from earlier runs\n", counted(batch.kept(), "verdict"));
}

static nlohmann::json jsonOf(const Batch &batch, size_t i) {
  const Defect defect = batch.defect(i);
  const Finding &finding = batch.finding(i);
  nlohmann::json out = {{"rule", defect.rule},
                        {"tool", defect.tool},
                        {"message", defect.message},
                        {"file", defect.sink.file},
                        {"line", defect.sink.line},
                        {"column", defect.sink.column},
                        {"verdict", confirm::name(finding.verdict)},
                        {"reason", finding.reason},
                        {"entry", finding.entry},
                        {"group", batch.leader(i)},
                        {"rank", batch.rank(i)},
                        {"paths", finding.paths},
                        {"seconds", finding.seconds}};
  nlohmann::json kinds = nlohmann::json::array();
  for (const evidence::BugKind kind : defect.kinds) kinds.push_back(evidence::name(kind));
  out["kinds"] = std::move(kinds);
  if (finding.verdict == Verdict::Open) {
    out["cut"] = confirm::name(finding.cut);
    out["settled_by"] = confirm::settledBy(finding);
  }
  if (finding.verdict == Verdict::Confirmed) out["cause"] = batch.sameCause(i);
  if (!finding.otherSource.empty()) out["other_source"] = finding.otherSource;
  if (!finding.assumed.empty()) out["assumed"] = finding.assumed;
  if (!finding.feasibleFrom.empty()) out["feasible_from"] = finding.feasibleFrom;
  if (const confirm::Reproduction *native = finding.reproduction.get()) {
    out["reproducer"] = native->folder;
    out["reproduced"] = native->isReproduced;
    out["symptom"] = native->symptom;
  }
  return out;
}

void printVerdictsJson(const Batch &batch, const ConfirmCounts &counts, double seconds) {
  const auto text = [](const nlohmann::json &value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const auto verdicts = [](const std::map<Verdict, uint64_t> &of) {
    nlohmann::json out;
    for (const Verdict v : {Verdict::Confirmed, Verdict::Refuted, Verdict::Open})
      out[confirm::name(v)] = of.count(v) ? of.at(v) : 0;
    return out;
  };
  nlohmann::json head = verdicts(counts.verdicts);
  head["schema"] = 1;
  head["seconds"] = seconds;
  head["asked"] = batch.asked();
  head["kept"] = batch.kept();
  head["groups"] = counts.groups;
  head["confirmed_causes"] = counts.distinct;
  head["confirmed_from_main"] = counts.fromMain;
  nlohmann::json cuts = nlohmann::json::object(), rules = nlohmann::json::object();
  for (auto &[cut, n] : counts.cuts) cuts[confirm::name(cut)] = n;
  for (auto &[rule, of] : counts.byRule) rules[rule] = verdicts(of);
  head["cut"] = std::move(cuts);
  head["rules"] = std::move(rules);
  // The head without its last brace, then the reports one by one.
  std::string begin = text(head);
  begin.pop_back();
  fmt::print("{},\n\"reports\": [", begin);
  bool isFirst = true;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch.isWanted(i)) continue;
    fmt::print("{}{}", std::exchange(isFirst, false) ? "\n" : ",\n", text(jsonOf(batch, i)));
  }
  fmt::print("\n]}}\n");
}

void writeVerdicts(const Batch &batch, const std::string &path) {
  writeDocument("--sarif", path, [&](llvm::raw_ostream &out) {
    report::SourceLines sources;
    confirm::writeVerdictSarif(batch, sources, out);
  });
}

} // namespace fathom::tool
