// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run comes to, for programs; docs/run.md has the fields.
#include "evidence/BugKind.h"
#include "report/Files.h"
#include "run/all/RunAll.h"

namespace fathom::run {

using llvm::json::OStream;

static void writeBug(OStream &json, const RunBug &bug) {
  json.object([&] {
    report::writeIdentity(json, bug.finding.identity);
    json.attribute("kind", evidence::name(bug.finding.kind));
    json.attribute("message", report::utf8(bug.finding.message));
    if (const evidence::StackFrame *at = report::locationOf(bug.finding.stack)) {
      json.attribute("function", report::utf8(at->function));
      json.attribute("file", report::utf8(at->file));
      json.attribute("line", at->line);
    }
    if (bug.finding.mark.isDismissed())
      json.attribute("dismissed", report::utf8(bug.finding.mark.because));
    json.attributeArray("dirs", [&] {
      for (const std::string &dir : bug.dirs) json.value(report::utf8(dir));
    });
  });
}

std::string runJson(const RunRequest &request, const RunResult &result) {
  return report::jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("how_ended", result.howEnded);
      json.attribute("wall_seconds", result.wallSeconds);
      json.attribute("processor_seconds", result.processorSeconds);
      json.attribute("branches_covered", static_cast<int64_t>(result.sidesCovered));
      json.attribute("branches_total", static_cast<int64_t>(result.sidesTotal));
      json.attribute("predicted_gain", result.nextGain);
      json.attributeObject("reports", [&] {
        json.attribute("total", static_cast<int64_t>(result.reports));
        json.attribute("confirmed", static_cast<int64_t>(result.confirmed));
        json.attribute("possible", static_cast<int64_t>(result.possible));
        json.attribute("refuted", static_cast<int64_t>(result.refuted));
        json.attribute("dismissed", static_cast<int64_t>(result.dismissedReports));
        json.attribute("kept_verdicts", static_cast<int64_t>(result.keptVerdicts));
      });
      json.attributeArray("bugs", [&] {
        for (const std::vector<RunBug> *bugs : {&result.bugs, &result.dismissed})
          for (const RunBug &bug : *bugs) writeBug(json, bug);
      });
      if (result.suite) {
        json.attributeBegin("suite");
        json.rawValue(suiteJson(*result.suite));
        json.attributeEnd();
      }
      if (result.difference) {
        json.attributeBegin("difference");
        json.rawValue(diffJson(*result.difference));
        json.attributeEnd();
      }
      json.attributeObject("parts", [&] {
        for (unsigned i = 0; i < kRunParts; i++) {
          const PartResult &part = result.parts[i];
          json.attributeObject(kPartNames[i], [&] {
            json.attribute("processor_seconds", part.processorSeconds);
            json.attribute("sides_found_first", static_cast<int64_t>(part.sides));
            json.attribute("bugs", static_cast<int64_t>(part.bugs));
            json.attribute("work", static_cast<int64_t>(part.work));
            json.attribute("inputs_from_others", static_cast<int64_t>(part.inputs));
            if (!part.failure.empty()) json.attribute("failure", part.failure);
          });
        }
      });
    });
  });
}

} // namespace fathom::run
