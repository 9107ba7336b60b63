// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/dismiss/Dismiss.h"

#include "report/Files.h"
#include "report/ShownPath.h"
#include "run/diff/ResultSet.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "support/NumberText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace fathom::run {

namespace path = llvm::sys::path;
using report::Dismissal;
using report::Dismissals;

/// Results in the working directory: folders, and files of SARIF.
static std::vector<std::string> resultsHere() {
  std::vector<std::string> out;
  std::error_code ignored;
  for (llvm::sys::fs::directory_iterator at(".", ignored), end; at != end && !ignored;
       at.increment(ignored)) {
    const std::string name = path::filename(at->path()).str();
    if (name.ends_with(".sarif") || llvm::sys::fs::exists(name + "/run.json")) out.push_back(name);
  }
  std::ranges::sort(out);
  return out;
}

/// "out/bugs/000001" is a bug of the results in "out".
static bool isBugFolder(const std::string &name) {
  return llvm::sys::fs::exists(name + "/bug.json");
}

namespace {

/// Where an id is looked for.
class Candidates {
public:
  explicit Candidates(Session &session) : session_(session) {}

  llvm::Error read(const DismissRequest &request) {
    names_ = request.from;
    const bool isNamed = !names_.empty();
    if (!isNamed) names_ = resultsHere();
    if (names_.empty())
      return usageError(fmt::format("{}: there are no results in the working directory (a folder "
                                    "with run.json, or *.sarif); name some with --from",
                                    request.id));
    for (const std::string &name : names_) {
      auto results = readResults(name, /*unfinished=*/true, &code_);
      if (results) {
        for (KnownResult &result : results->results) all_.push_back(std::move(result));
        continue;
      }
      if (isNamed) return results.takeError();
      session_.observer.warn(llvm::toString(results.takeError()) + "; left out");
    }
    return llvm::Error::success();
  }

  llvm::Expected<KnownResult> find(const std::string &id) const {
    std::map<std::string, const KnownResult *> found; // by id: several documents may have it
    for (const KnownResult &result : all_)
      if (result.identity.id.starts_with(id)) found.try_emplace(result.identity.id, &result);
    if (found.size() == 1) return *found.begin()->second;
    if (found.empty())
      return usageError(fmt::format(
          "{}: no bug or report in {} has this id; expected one that --ids shows, or --from with "
          "the results that have it",
          id, fmt::join(names_, ", ")));
    std::string text = fmt::format("{}: {} begin so:", id, counted(found.size(), "id"));
    size_t listed = 0;
    for (const auto &[whole, result] : found) {
      if (listed++ == 5) break;
      text += fmt::format(
          "{} {} ({}{})", listed == 1 ? "" : ",", whole, result->rule,
          result->line ? fmt::format(" at {}:{}", report::shownPath(result->file), result->line)
                       : "");
    }
    return usageError(text + "; expected more digits");
  }

private:
  Session &session_;
  report::SourceLines lines_;
  report::SourceCode code_{lines_};
  std::vector<std::string> names_;
  std::vector<KnownResult> all_;
};

} // namespace

/// Where a new file belongs: the root of the repository that the sources or the working directory
/// are in, or the working directory.
static std::string newFile(const std::vector<std::string> &places) {
  for (const std::string &place : places) {
    llvm::SmallString<256> at(place);
    if (place.empty() || llvm::sys::fs::make_absolute(at)) continue;
    if (!llvm::sys::fs::is_directory(at)) path::remove_filename(at);
    path::remove_dots(at, /*remove_dot_dot=*/true);
    for (; !at.empty() && at != "/"; at = path::parent_path(at))
      if (llvm::sys::fs::exists(at + "/.git")) return (at + "/" + Dismissals::kFileName).str();
  }
  return Dismissals::kFileName;
}

/// As others have it: relative to the file, where it lies below.
static std::string relativeTo(const std::string &file, const std::string &source) {
  llvm::SmallString<256> folder(file), absolute(source);
  llvm::sys::fs::make_absolute(folder);
  path::remove_filename(folder);
  path::remove_dots(folder, /*remove_dot_dot=*/true);
  llvm::StringRef rest = absolute;
  if (rest.consume_front(folder) && rest.consume_front("/")) return rest.str();
  return source;
}

static llvm::Error checkDigits(const std::string &id) {
  if (id.size() >= kLeastDigits && id.size() <= 16 &&
      id.find_first_not_of("0123456789abcdef") == std::string::npos)
    return llvm::Error::success();
  return usageError(fmt::format("{}: no id; expected {} to 16 digits of one (0-9, a-f), or the "
                                "folder of a bug such as out/bugs/000001",
                                id.empty() ? "\"\"" : id, kLeastDigits));
}

llvm::Expected<DismissDone> dismiss(const DismissRequest &asked, Session &session) {
  DismissRequest request = asked;
  if (llvm::StringRef(request.because).trim().empty())
    return usageError("--because: expected the reason why it needs no repair");
  if (isBugFolder(request.id)) {
    auto bug = asUsage(report::readJsonObject(request.id + "/bug.json"));
    if (!bug) return bug.takeError();
    llvm::StringRef folder = llvm::StringRef(request.id).rtrim('/');
    request.from = {path::parent_path(path::parent_path(folder)).str()};
    if (request.from[0].empty()) request.from[0] = ".";
    request.id = bug->getString("id").value_or("").str();
    if (request.id.empty())
      return usageError(fmt::format("{}/bug.json: has no \"id\"; an earlier version of Fathom "
                                    "wrote it: repeat the run",
                                    folder.str()));
  }
  if (llvm::Error e = checkDigits(request.id)) return std::move(e);
  Candidates candidates(session);
  if (llvm::Error e = candidates.read(request)) return std::move(e);
  llvm::Expected<KnownResult> found = candidates.find(request.id);
  if (!found) return found.takeError();
  DismissDone out;
  Dismissals all;
  out.file = request.file;
  if (out.file.empty()) out.file = Dismissals::find({found->file, "."});
  if (!out.file.empty() && llvm::sys::fs::exists(out.file)) {
    auto read = asUsage(Dismissals::read(out.file));
    if (!read) return read.takeError();
    all = std::move(*read);
  }
  if (out.file.empty()) out.file = newFile({found->file, "."});
  for (const Dismissal *old : all.matching(found->identity.id)) out.before = old->because;
  out.dismissal = {found->identity,
                   found->rule,
                   found->function,
                   relativeTo(out.file, found->file),
                   found->message,
                   request.because,
                   report::utcNow().substr(0, 10)};
  out.hasCode = !found->identity.code.empty();
  all.add(out.dismissal);
  if (llvm::Error e = asUsage(all.write(out.file))) return std::move(e);
  return out;
}

llvm::Expected<Dismissals> listDismissals(const std::string &file) {
  const std::string found = file.empty() ? Dismissals::find({"."}) : file;
  if (found.empty())
    return usageError(fmt::format("there is no {} in the working directory or above; name the file "
                                  "with --file",
                                  Dismissals::kFileName));
  return asUsage(Dismissals::read(found));
}

llvm::Expected<DismissDone> undoDismissal(const std::string &id, const std::string &file) {
  if (llvm::Error e = checkDigits(id)) return std::move(e);
  auto all = listDismissals(file);
  if (!all) return all.takeError();
  const auto found = all->matching(id);
  if (found.empty())
    return usageError(fmt::format("{}: nothing in {} has this id; fathom dismiss --list shows them",
                                  id, all->path()));
  for (const Dismissal *other : found)
    if (other->identity.id != found[0]->identity.id)
      return usageError(fmt::format("{}: several ids in {} begin so: {}, {}; expected more digits",
                                    id, all->path(), found[0]->identity.id, other->identity.id));
  DismissDone out;
  out.dismissal = *found[0];
  out.file = all->path();
  (void)all->removeIf(out.dismissal.identity.id);
  if (llvm::Error e = asUsage(all->write(out.file))) return std::move(e);
  return out;
}

std::string dismissalsText(const Dismissals &dismissals) {
  std::string out;
  for (const Dismissal &d : dismissals.all())
    out += fmt::format("{}  {} {} {}{}\n          {}\n", report::shownId(d.identity.id), d.date,
                       d.rule, d.file, d.function.empty() ? "" : " in " + d.function, d.because);
  return out + fmt::format("{} in {}\n", counted(dismissals.all().size(), "dismissal"),
                           dismissals.path());
}

} // namespace fathom::run
