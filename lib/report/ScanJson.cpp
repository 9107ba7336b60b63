// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"
#include "report/Identity.h"
#include "report/ListJson.h"
#include "report/ScanReport.h"

#include <nlohmann/json.hpp>

namespace fathom::report {

static nlohmann::json jsonOf(const statics::ReportStep &s) {
  nlohmann::json step = {{"file", s.file},
                         {"line", s.line},
                         {"column", s.column},
                         {"function", s.function},
                         {"role", evidence::name(s.role)},
                         {"text", s.text}};
  if (s.statement != statics::kNone) step["statement"] = s.statement;
  return step;
}

static nlohmann::json jsonOf(const std::vector<statics::ReportStep> &steps) {
  nlohmann::json list = nlohmann::json::array();
  for (const statics::ReportStep &step : steps) list.push_back(jsonOf(step));
  return list;
}

static nlohmann::json jsonOf(const statics::Report &report, const Identity &identity) {
  const statics::ReportStep &sink = report.sink();
  return {{"id", identity.id},
          {"place_hash", identity.place},
          {"code_hash", identity.code},
          {"kind", evidence::name(report.kind)},
          {"cwe", evidence::cwe(report.kind)},
          {"message", report.message},
          {"file", sink.file},
          {"line", sink.line},
          {"column", sink.column},
          {"function", sink.function},
          {"fingerprint", identity.id},
          {"certainty", statics::name(report.certainty)},
          {"doubts", report.doubts},
          {"steps", jsonOf(report.steps)},
          {"callers", jsonOf(report.callers)},
          {"alsoAt", jsonOf(report.alsoAt.listed)},
          {"alsoAtMore", report.alsoAt.more},
          {"alsoFrom", jsonOf(report.alsoFrom.listed)},
          {"alsoFromMore", report.alsoFrom.more}};
}

void writeScanJson(const std::vector<statics::Report> &reports, SourceLines &sources,
                   const std::vector<std::string> &notes, bool isComplete, double seconds,
                   const TextSink &out, const std::vector<DismissalMark> &marks) {
  const std::vector<Identity> identities = identitiesOf(reports, sources);
  const nlohmann::json members = {{"notes", notes}, {"complete", isComplete}, {"seconds", seconds}};
  writeWithList(
      members, "reports", reports.size(),
      [&](size_t i) {
        nlohmann::json one = jsonOf(reports[i], identities[i]);
        if (!marks.empty() && marks[i].isDismissed()) one["dismissed"] = marks[i].because;
        return one;
      },
      out);
}

} // namespace fathom::report
