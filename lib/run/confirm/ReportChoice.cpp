// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/ReportChoice.h"

#include "confirm/SarifFile.h"
#include "report/JsonText.h"
#include "run/Failure.h"
#include "run/InputFiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run {

namespace fs = std::filesystem;

namespace {

/// Adds the file; of a folder, its files with endings of reports, by name.
llvm::Error addReportFiles(const std::string &path, std::vector<std::string> &out) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    if (llvm::Error e = requireRegularFile("--reports", path)) return e;
    out.push_back(path);
    return llvm::Error::success();
  }
  std::vector<std::string> found;
  for (auto at = fs::recursive_directory_iterator(path, failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    const std::string ending = at->path().extension().string();
    for (const char *known : {".sarif", ".plist", ".json", ".xml"})
      if (ending == known && at->is_regular_file(failed)) found.push_back(at->path().string());
  }
  if (failed)
    return usageError(fmt::format("--reports {}: cannot be read: {}", path, failed.message()));
  if (found.empty())
    return usageError(
        fmt::format("--reports {}: no .sarif, .plist, .json or .xml file in this folder", path));
  std::sort(found.begin(), found.end());
  out.insert(out.end(), found.begin(), found.end());
  return llvm::Error::success();
}

/// Does the file say of any report whether it is new? One without reports need not.
bool hasStates(const confirm::ReportFile &file) {
  if (!file.size()) return true;
  const confirm::SarifFile *sarif = file.sarif();
  bool isFound = false;
  for (size_t i = 0; sarif && !isFound && i < file.size(); ++i)
    report::forEachMember(sarif->result(i), [&](llvm::StringRef key, llvm::StringRef) {
      isFound |= key == "baselineState";
    });
  return isFound;
}

/// "a, b, c and 4 more"
std::string someOf(const std::set<std::string> &all) {
  constexpr size_t kNamed = 16;
  const size_t named = std::min(all.size(), kNamed);
  std::string out = fmt::format(
      "{}", fmt::join(all.begin(), std::next(all.begin(), static_cast<ptrdiff_t>(named)), ", "));
  return all.size() > named ? out + fmt::format(" and {} more", all.size() - named) : out;
}

} // namespace

llvm::Expected<std::vector<std::unique_ptr<confirm::ReportFile>>>
openReports(const ConfirmRequest &request) {
  std::vector<std::string> paths;
  for (const std::string &path : request.reports)
    if (llvm::Error e = addReportFiles(path, paths)) return std::move(e);
  std::vector<std::unique_ptr<confirm::ReportFile>> out;
  for (const std::string &path : paths) {
    auto file = asUsage(confirm::openReports(path, request.pathMap));
    if (!file) return file.takeError();
    out.push_back(std::move(*file));
    if (request.onlyNew && !hasStates(*out.back()))
      return usageError(fmt::format("--only-new: {}: no report has a baselineState; expected SARIF "
                                    "that `fathom scan --baseline` or the like wrote",
                                    path));
  }
  return out;
}

bool WantedReports::operator()(const confirm::Defect &defect) {
  bool isChosen = only_.empty();
  const std::string place =
      isChosen ? "" : fmt::format("{}:{}", defect.sink.file, defect.sink.line);
  for (size_t i = 0; i < only_.size(); ++i) {
    const bool fits = defect.rule == only_[i] ||
                      defect.sink.file.find(only_[i]) != std::string::npos ||
                      (only_[i].find(':') != std::string::npos && place.ends_with(only_[i]));
    isUsed_[i] = isUsed_[i] || fits;
    isChosen |= fits;
    const std::string file = only_[i].substr(0, only_[i].rfind(':'));
    if (file != only_[i] && !file.empty() && defect.sink.file.ends_with(file))
      places_[i].insert(fmt::format("{}:{}", file, defect.sink.line));
  }
  if (!only_.empty()) rules_.insert(defect.rule.empty() ? "(none)" : defect.rule);
  return isChosen && !(onlyNew_ && defect.isKnown);
}

llvm::Error WantedReports::checkUsed(Session &session) const {
  const bool isAnyUsed = std::ranges::find(isUsed_, true) != isUsed_.end();
  for (size_t i = 0; i < only_.size(); ++i) {
    if (isUsed_[i]) continue;
    if (rules_.empty()) {
      session.observer.warn(fmt::format("--only {}: there are no reports", only_[i]));
      continue;
    }
    const std::string text = fmt::format(
        "--only {}: no report has this rule, or this in the path of its file; {}", only_[i],
        places_[i].empty() ? "the rules are " + someOf(rules_)
                           : "in that file, there are " + someOf(places_[i]));
    if (!isAnyUsed) return usageError(text);
    session.observer.warn(text);
  }
  return llvm::Error::success();
}

} // namespace fathom::run
