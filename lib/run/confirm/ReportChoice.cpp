// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/ReportChoice.h"

#include "confirm/SarifFile.h"
#include "report/JsonText.h"
#include "run/Failure.h"
#include "run/InputFiles.h"

#include <fmt/format.h>

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
  const OnlyFilter::FileLine sink{defect.sink.file, defect.sink.line};
  const bool isChosen = only_.fits(defect.rule, {&sink, 1});
  return isChosen && !(onlyNew_ && defect.isKnown);
}

} // namespace fathom::run
