// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/BatchReport.h"
#include "evidence/BugKind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace fathom::confirm {

static nlohmann::json jsonOf(const Batch &batch, const ReportListing &listing, size_t i) {
  const Defect defect = batch.defect(i);
  const Finding &finding = batch.finding(i);
  nlohmann::json out = {{"rule", defect.rule},
                        {"tool", defect.tool},
                        {"message", defect.message},
                        {"file", defect.sink.file},
                        {"line", defect.sink.line},
                        {"column", defect.sink.column},
                        {"verdict", name(finding.verdict)},
                        {"reason", finding.reason},
                        {"entry", finding.entry},
                        {"group", batch.leader(i)},
                        {"rank", batch.rank(i)},
                        {"paths", finding.paths},
                        {"seconds", finding.seconds}};
  nlohmann::json kinds = nlohmann::json::array();
  for (const evidence::BugKind kind : defect.kinds) kinds.push_back(evidence::name(kind));
  out["kinds"] = std::move(kinds);
  if (i < listing.identities.size()) {
    const report::Identity &identity = listing.identities[i];
    out["id"] = identity.id;
    out["place_hash"] = identity.place;
    out["code_hash"] = identity.code;
  }
  if (listing.isDismissed(i)) out["dismissed"] = listing.marks[i].because;
  if (finding.verdict == Verdict::Open) {
    out["cut"] = name(finding.cut);
    out["settled_by"] = settledBy(finding);
  }
  if (isShown(finding.verdict)) out["cause"] = batch.sameCause(i);
  if (!finding.otherSource.empty()) out["other_source"] = finding.otherSource;
  if (!finding.assumed.empty()) out["assumed"] = finding.assumed;
  if (!finding.feasibleFrom.empty()) out["feasible_from"] = finding.feasibleFrom;
  if (const Reproduction *native = finding.reproduction.get()) {
    out["reproducer"] = native->folder;
    out["reproduced"] = native->isReproduced;
    out["symptom"] = native->symptom;
  }
  return out;
}

void writeVerdictsJson(const Batch &batch, const BatchCounts &counts, double seconds,
                       const TextSink &sink, const ReportListing &listing) {
  const auto text = [](const nlohmann::json &value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const auto verdicts = [](const VerdictCounts &of) {
    nlohmann::json out;
    for (const Verdict v : kVerdicts) out[name(v)] = countOf(of, v);
    return out;
  };
  nlohmann::json head = verdicts(counts.verdicts);
  head["schema"] = 1;
  head["seconds"] = seconds;
  head["dismissed"] = counts.dismissed;
  head["asked"] = batch.asked();
  head["kept"] = batch.kept();
  head["groups"] = counts.groups;
  head["causes"] = counts.distinct;
  nlohmann::json cuts = nlohmann::json::object(), rules = nlohmann::json::object();
  for (auto &[cut, n] : counts.cuts) cuts[name(cut)] = n;
  for (auto &[rule, of] : counts.byRule) rules[rule] = verdicts(of);
  head["cut"] = std::move(cuts);
  head["rules"] = std::move(rules);
  // The head without its last brace, then the reports one by one.
  std::string begin = text(head);
  begin.pop_back();
  sink(fmt::format("{},\n\"reports\": [", begin));
  bool isFirst = true;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch.isWanted(i)) continue;
    sink(fmt::format("{}{}", std::exchange(isFirst, false) ? "\n" : ",\n",
                     text(jsonOf(batch, listing, i))));
  }
  sink("\n]}\n");
}

} // namespace fathom::confirm
