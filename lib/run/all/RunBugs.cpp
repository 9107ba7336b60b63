// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/RunBugs.h"

#include "report/BugFile.h"
#include "report/BugIndex.h"
#include "report/Dismissals.h"
#include "report/Files.h"
#include "support/Folder.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <map>

namespace fathom::run {

static std::string bugsFolder(const std::string &folder, Part part) {
  return fmt::format("{}/{}/bugs", folder, nameOf(part));
}

uint64_t bugFolders(const std::string &folder, Part part) {
  std::error_code none;
  return entriesOf(bugsFolder(folder, part), none).size();
}

/// The part may be running: what it is writing now is left alone.
static llvm::Expected<std::vector<report::Finding>>
findingsOf(const std::string &folder, Part part, const report::Dismissals &dismissals) {
  std::vector<report::Finding> findings;
  const std::string path = bugsFolder(folder, part);
  if (!llvm::sys::fs::is_directory(path)) return findings;
  llvm::Expected<report::Directory> bugs = report::Directory::openOrCreate(path);
  if (!bugs) return bugs.takeError();
  for (const std::string &name : bugs->entries()) {
    if (name.starts_with(".")) continue;
    llvm::Expected<report::Finding> finding = report::readFinding(path + "/" + name);
    if (!finding) return finding.takeError();
    finding->dir = "bugs/" + name;
    findings.push_back(std::move(*finding));
  }
  report::markDismissed(findings, dismissals);
  return findings;
}

llvm::Expected<BugCount> countBugs(const std::string &folder, Part part,
                                   const report::Dismissals &dismissals) {
  auto findings = findingsOf(folder, part, dismissals);
  if (!findings) return findings.takeError();
  return BugCount{findings->size(), report::countOpen(*findings)};
}

llvm::Error addBugs(const std::string &folder, const report::Dismissals &dismissals,
                    RunResult &result) {
  std::map<std::string, size_t> known[2]; // places: of open ones, and of dismissed ones
  llvm::Error failed = llvm::Error::success();
  for (const Part part : {Part::Explore, Part::Fuzz}) {
    auto findings = findingsOf(folder, part, dismissals);
    if (!findings) {
      failed = llvm::joinErrors(std::move(failed), findings.takeError());
      continue;
    }
    for (report::Finding &finding : *findings) {
      const bool isDismissed = finding.mark.isDismissed();
      std::vector<RunBug> &into = isDismissed ? result.dismissed : result.bugs;
      const auto [at, isNew] =
          known[isDismissed].try_emplace(report::placeKey(finding), into.size());
      const std::string dir = fmt::format("{}/{}", nameOf(part), finding.dir);
      if (isNew) into.push_back({std::move(finding), {}});
      into[at->second].dirs.push_back(dir);
    }
  }
  return failed;
}

} // namespace fathom::run
