// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageParts.h"

#include "report/Files.h"
#include "report/ReplayScript.h"
#include "report/RunFile.h"
#include "run/Failure.h"
#include "run/InputFiles.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <filesystem>

namespace fathom::run::page {

const char *nameOf(By by) {
  switch (by) {
  case By::Explore: return "explore";
  case By::Fuzz: return "fuzz";
  case By::Scan: return "scan";
  case By::Confirm: return "confirm";
  case By::Seeds: return "seeds";
  case By::Run: return "run";
  }
  return "";
}

namespace {

bool isThere(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool isFolder(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

class PartFinder {
public:
  explicit PartFinder(PageData &data) : data_(data) {}

  llvm::Error add(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    if (!isThere(path)) return usageError(path + ": there is no such folder");
    if (!isFolder(path)) return addReports(path);
    return addFolder(path);
  }

  llvm::Error addReports(const std::string &file) {
    if (llvm::Error e = requireRegularFile("--reports", file)) return e;
    Part part;
    part.by = By::Confirm;
    part.folder = file;
    data_.parts.push_back(std::move(part));
    return llvm::Error::success();
  }

  std::vector<std::string> events;

private:
  llvm::Error addFolder(const std::string &folder) {
    const std::string file = folder + "/run.json";
    if (!isThere(file))
      return usageError(folder + ": no results of Fathom: it has no run.json; expected a folder "
                                 "that fathom explore, fuzz or run wrote");
    llvm::Expected<llvm::json::Object> run = report::readJsonObject(file);
    if (!run) return asUsage(run.takeError());
    if (llvm::Error e = report::checkSchema(*run, file)) return asUsage(std::move(e));
    const std::string subcommand = run->getString("subcommand").value_or("").str();
    if (subcommand == "run") return addRun(folder, *run);
    if (subcommand != "explore" && subcommand != "fuzz")
      return usageError(fmt::format("{}: the subcommand is '{}'; expected explore, fuzz or run",
                                    file, subcommand));
    addPart(folder, *run, subcommand == "fuzz" ? By::Fuzz : By::Explore);
    return llvm::Error::success();
  }

  llvm::Error addRun(const std::string &folder, const llvm::json::Object &run) {
    addPart(folder, run, By::Run);
    if (isThere(folder + "/events.jsonl")) events.push_back(folder + "/events.jsonl");
    for (const char *below : {"explore", "fuzz"}) {
      const std::string part = folder + "/" + below;
      if (!isFolder(part)) {
        data_.missing.push_back(part + ": not there");
        continue;
      }
      if (llvm::Error e = addFolder(part)) data_.missing.push_back(textOf(std::move(e)));
    }
    // Verdicts are on the same reports, so one file has them all.
    for (const char *name : {"confirmed.sarif", "scan.sarif"})
      if (isThere(folder + "/" + name)) {
        if (llvm::Error e = addReports(folder + "/" + name)) return e;
        data_.parts.back().isOptional = true;
        return llvm::Error::success();
      }
    data_.missing.push_back(folder + "/scan.sarif: not there");
    return llvm::Error::success();
  }

  void addPart(const std::string &folder, const llvm::json::Object &run, By by) {
    Part part;
    part.by = by;
    part.folder = folder;
    if (const llvm::json::Array *programs = run.getArray("program"))
      if (!programs->empty()) part.program = (*programs)[0].getAsString().value_or("").str();
    if (part.program.empty()) part.program = run.getString("program").value_or("").str();
    if (const llvm::json::Array *words = run.getArray("command"))
      for (const llvm::json::Value &word : *words) {
        std::string text = word.getAsString().value_or("").str();
        if (part.command.empty()) text = llvm::sys::path::filename(text).str();
        part.command += (part.command.empty() ? "" : " ") + wordOf(text);
      }
    part.directory = run.getString("working_directory").value_or("").str();
    part.started = run.getString("started").value_or("").str();
    part.ended = run.getString("ended").value_or("").str();
    part.howEnded = run.getString("how_ended").value_or("").str();
    if (const llvm::json::Object *totals = run.getObject("totals")) addTotals(*totals, part);
    if (by == By::Explore) addStatistics(folder, part);
    if (const auto seconds = part.totals.find("wall_seconds"); seconds != part.totals.end())
      part.seconds = seconds->second;
    if (part.ended.empty())
      data_.missing.push_back(folder + ": the run has not ended, or was killed; the page shows "
                                       "what it had written");
    if (data_.title.empty()) data_.title = llvm::sys::path::filename(part.program).str();
    data_.parts.push_back(std::move(part));
  }

  void addStatistics(const std::string &folder, Part &part) {
    llvm::Expected<llvm::json::Object> numbers = report::readJsonObject(folder + "/stats.json");
    if (numbers)
      addTotals(*numbers, part);
    else
      data_.missing.push_back(llvm::toString(numbers.takeError()));
  }

  static void addTotals(const llvm::json::Object &from, Part &part) {
    for (const auto &[name, value] : from)
      if (const std::optional<double> number = value.getAsNumber())
        part.totals[llvm::StringRef(name).str()] = *number;
  }

  /// Quoted only where a shell needs it.
  static std::string wordOf(const std::string &text) {
    const bool isPlain =
        !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
                                                "YZ0123456789_-+./,:=@%") == std::string::npos;
    return isPlain ? text : report::shellQuote(text);
  }

  static std::string textOf(llvm::Error error) { return llvm::toString(std::move(error)); }

  PageData &data_;
};

} // namespace

llvm::Expected<std::vector<std::string>> findParts(const PageRequest &request, PageData &data) {
  PartFinder finder(data);
  for (const std::string &folder : request.folders)
    if (llvm::Error e = finder.add(folder)) return std::move(e);
  for (const std::string &file : request.reports)
    if (llvm::Error e = finder.addReports(file)) return std::move(e);
  if (data.parts.empty())
    return usageError("give a results folder, or --reports with a SARIF file");
  if (data.title.empty()) data.title = llvm::sys::path::filename(data.parts[0].folder).str();
  return std::move(finder.events);
}

} // namespace fathom::run::page
