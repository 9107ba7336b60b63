// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/ShownReports.h"

#include "confirm/ReportFile.h"
#include "confirm/SarifFile.h"
#include "confirm/Shows.h"
#include "report/Files.h"
#include "report/JsonText.h"
#include "run/OutputFile.h"
#include "support/TextError.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

using confirm::Verdict;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// Does the bug's object come from where the report says that it does? Unknown: no.
bool isFromSource(const report::Finding &bug, const confirm::Defect &defect) {
  return !defect.steps.empty() &&
         std::ranges::any_of(bug.related, [&](const evidence::StackFrame &frame) {
           return frame.own && defect.steps[0].isAt(frame.file, frame.line);
         });
}

/// One from the report's source, if there is one.
const RunBug *bugThatShows(const confirm::Defect &defect, const std::vector<RunBug> &bugs) {
  const RunBug *out = nullptr;
  for (const RunBug &bug : bugs) {
    if (!confirm::happensAt(bug.finding.kind, bug.finding.stack, defect)) continue;
    if (isFromSource(bug.finding, defect)) return &bug;
    if (!out) out = &bug;
  }
  return out;
}

void setShown(Object &result, const RunBug &bug, bool isSameSource, const std::string &folder) {
  if (!result.getObject("properties")) result["properties"] = Object{};
  Object &properties = *result.getObject("properties");
  // What was said of a search that did not come so far is over.
  for (const char *key : {"openBecause", "settledBy", "assumed", "feasibleFrom", "otherSource"})
    properties.erase(key);
  properties["verdict"] = confirm::name(Verdict::Confirmed);
  properties["reason"] =
      report::utf8(fmt::format("an input of the program shows it, which this run found ({}): {}",
                               bug.dirs[0], bug.finding.message));
  properties["reproducer"] = report::utf8(folder + "/" + bug.dirs[0]);
  if (!isSameSource)
    properties["otherSource"] =
        "the bug is of this kind and at this line; whether it comes from the report's source was "
        "not looked at";
}

/// Removes the one of a refutation. False: there is another, of a dismissal.
bool removeSuppression(Object &result, const std::string &reason) {
  const llvm::json::Array *all = result.getArray("suppressions");
  if (!all) return true;
  const bool isOther = llvm::any_of(*all, [&](const Value &one) {
    const Object *suppression = one.getAsObject();
    return !suppression || suppression->getString("justification").value_or("") != reason;
  });
  if (isOther) return false;
  result.erase("suppressions");
  return true;
}

/// Counts what the report was, and confirms it. False: it stays as it is.
bool confirmIfShown(Object &result, const confirm::Defect &defect, const std::string &folder,
                    const std::vector<RunBug> &bugs, ShownReports &counts) {
  const std::optional<Verdict> before = confirm::verdictIn(result);
  if (before == Verdict::Confirmed) return false;
  const bool wasRefuted = before == Verdict::Refuted;
  const RunBug *bug = bugThatShows(defect, bugs);
  if (!bug) return false;
  const bool isSameSource = isFromSource(bug->finding, defect);
  // That no path leads from the source to the line holds, if the bug has another source.
  if (wasRefuted && !isSameSource) return false;
  const std::string reason =
      wasRefuted ? result.getObject("properties")->getString("reason").value_or("").str()
                 : std::string();
  if (!removeSuppression(result, reason)) return false;
  if (wasRefuted)
    counts.refuted.push_back(fmt::format("{}:{}", defect.sink.file, defect.sink.line));
  else
    ++(before == Verdict::Possible ? counts.possible : counts.open);
  setShown(result, *bug, isSameSource, folder);
  return true;
}

} // namespace

llvm::Expected<ShownReports> confirmByBugs(const std::string &reports, const std::string &to,
                                           const std::string &folder,
                                           const std::vector<RunBug> &bugs) {
  auto opened = confirm::openReports(reports, {});
  if (!opened) return opened.takeError();
  const confirm::SarifFile *file = (*opened)->sarif();
  if (!file) return textError(reports + " is not SARIF");
  ShownReports counts;
  std::string text;
  llvm::raw_string_ostream copy(text);
  file->copy(
      file->text(), 0, file->size(),
      [&](size_t i) -> std::optional<Value> {
        Value value = report::parseJson(file->result(i));
        Object *result = value.getAsObject();
        if (!result || !confirmIfShown(*result, file->defect(i), folder, bugs, counts))
          return std::nullopt;
        return value;
      },
      copy);
  if (!counts.all()) return counts;
  // The text is whole before the file that it may come from is replaced.
  if (llvm::Error e = writeDocument("", to, [&](llvm::raw_ostream &out) { out << text; }))
    return std::move(e);
  return counts;
}

} // namespace fathom::run
