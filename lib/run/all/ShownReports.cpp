// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/ShownReports.h"

#include "confirm/ReportFile.h"
#include "confirm/SarifFile.h"
#include "confirm/Shows.h"
#include "evidence/BugKind.h"
#include "report/Files.h"
#include "report/JsonText.h"
#include "run/OutputFile.h"
#include "support/TextError.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

using llvm::StringRef;
using llvm::json::Object;
using llvm::json::Value;

namespace {

const RunBug *bugThatShows(const confirm::Defect &defect, const std::vector<RunBug> &bugs) {
  const auto shown = std::ranges::find_if(bugs, [&](const RunBug &bug) {
    return confirm::shows(bug.finding.kind, bug.finding.stack, defect);
  });
  return shown == bugs.end() ? nullptr : &*shown;
}

void setShown(Object &result, const RunBug &bug, const std::string &folder) {
  if (!result.getObject("properties")) result["properties"] = Object{};
  Object &properties = *result.getObject("properties");
  // What was said of a search that did not come so far is over.
  for (const char *key : {"openBecause", "settledBy", "assumed", "feasibleFrom", "otherSource"})
    properties.erase(key);
  properties["verdict"] = confirm::name(confirm::Verdict::Confirmed);
  properties["reason"] =
      report::utf8(fmt::format("an input of the program shows it, which this run found ({}): {}",
                               bug.dirs[0], bug.finding.message));
  properties["reproducer"] = report::utf8(folder + "/" + bug.dirs[0]);
  result.erase("suppressions"); // of a refutation
}

/// Counts what the report was, and confirms it. False: it stays as it is.
bool confirmIfShown(Object &result, const confirm::Defect &defect, const std::string &folder,
                    const std::vector<RunBug> &bugs, ShownReports &counts) {
  const Object *properties = result.getObject("properties");
  const StringRef before = properties ? properties->getString("verdict").value_or("") : "";
  if (before == confirm::name(confirm::Verdict::Confirmed)) return false;
  const bool wasRefuted = before == confirm::name(confirm::Verdict::Refuted);
  if (!wasRefuted && result.get("suppressions")) return false; // dismissed
  const RunBug *bug = bugThatShows(defect, bugs);
  if (!bug) return false;
  if (wasRefuted)
    counts.refuted.push_back(fmt::format("{}:{}", defect.sink.file, defect.sink.line));
  else
    ++(before == confirm::name(confirm::Verdict::Possible) ? counts.possible : counts.open);
  setShown(result, *bug, folder);
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
  const StringRef before = file->text();
  size_t copied = 0;
  for (size_t i = 0; i < file->size(); ++i) {
    const StringRef old = file->result(i);
    Value value = report::parseJson(old);
    if (!value.getAsObject() ||
        !confirmIfShown(*value.getAsObject(), file->defect(i), folder, bugs, counts))
      continue;
    const auto at = static_cast<size_t>(old.data() - before.data());
    text += before.slice(copied, at);
    text += llvm::formatv("{0:2}", value).str();
    copied = at + old.size();
  }
  if (!counts.all() && reports == to) return counts;
  text += before.substr(copied);
  // The text is whole before the file that it may come from is replaced.
  if (llvm::Error e = writeDocument("", to, [&](llvm::raw_ostream &out) { out << text; }))
    return std::move(e);
  return counts;
}

} // namespace fathom::run
