// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Results.h>

#include "api/Convert.h"
#include "report/BugFile.h"
#include "report/Files.h"
#include "report/RunFile.h"
#include "report/Tests.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::api {

namespace {

/// Turns an error about the folder that the caller named into a usage error.
Error unusable(llvm::Error error) { return usageError(llvm::toString(std::move(error))); }

std::string textOf(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

Result<llvm::json::Object> readRun(const std::string &folder) {
  const std::string file = folder + "/run.json";
  if (!llvm::sys::fs::exists(file))
    return usageError(fmt::format("{}: holds no results of Fathom", folder));
  llvm::Expected<llvm::json::Object> run = report::readJsonObject(file);
  if (!run) return unusable(run.takeError());
  if (llvm::Error e = report::checkSchema(*run, file)) return unusable(std::move(e));
  const llvm::json::Object *tool = run->getObject("tool");
  if (!tool || textOf(*tool, "name") != "fathom" || !run->getInteger("schema"))
    return usageError(fmt::format("{}: is not of Fathom", file));
  return std::move(*run);
}

/// Reads the finished bugs. The folder of a bug that is still being written has a name that begins
/// with a dot, which testNumber() rejects.
Result<std::vector<Bug>> readBugs(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder + "/bugs", error), end; !error && at != end;
       at.increment(error))
    if (const llvm::StringRef name = llvm::sys::path::filename(at->path());
        report::testNumber(name))
      names.push_back(name.str());
  // A run without bugs has no such folder.
  if (error && error != std::errc::no_such_file_or_directory)
    return usageError(fmt::format("{}/bugs: cannot be read: {}", folder, error.message()));
  std::ranges::sort(names, {}, report::testNumber);
  std::vector<Bug> out;
  for (const std::string &name : names) {
    llvm::Expected<report::Finding> finding =
        report::readFinding(fmt::format("{}/bugs/{}", folder, name));
    if (!finding) return unusable(finding.takeError());
    finding->dir = "bugs/" + name;
    out.push_back(toApiBug(*finding));
  }
  return out;
}

Result<std::vector<LedgerEntry>> readLedger(const std::string &folder) {
  std::vector<LedgerEntry> out;
  const std::string file = folder + "/ledger.json";
  if (!llvm::sys::fs::exists(file)) return out;
  llvm::Expected<llvm::json::Object> ledger = report::readJsonObject(file);
  if (!ledger) return unusable(ledger.takeError());
  const llvm::json::Array *entries = ledger->getArray("entries");
  if (!entries) return usageError(fmt::format("{}: \"entries\" is missing", file));
  for (const llvm::json::Value &value : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry) return usageError(fmt::format("{}: an entry is no object", file));
    out.push_back({textOf(*entry, "category"), textOf(*entry, "location"), textOf(*entry, "detail"),
                   static_cast<uint64_t>(entry->getInteger("count").value_or(0))});
  }
  return out;
}

} // namespace

Result<RunResults> readResults(const std::string &folder) {
  Result<llvm::json::Object> run = readRun(folder);
  if (!run) return run.error();
  RunResults out;
  out.activity = textOf(*run, "subcommand");
  out.version = textOf(*run->getObject("tool"), "version");
  if (const llvm::json::Array *programs = run->getArray("program"))
    for (const llvm::json::Value &program : *programs)
      out.programs.push_back(program.getAsString().value_or("").str());
  out.started = textOf(*run, "started");
  out.ended = textOf(*run, "ended");
  out.howEnded = textOf(*run, "how_ended");
  Result<std::vector<Bug>> bugs = readBugs(folder);
  if (!bugs) return bugs.error();
  out.bugs = std::move(*bugs);
  Result<std::vector<LedgerEntry>> ledger = readLedger(folder);
  if (!ledger) return ledger.error();
  out.ledger = std::move(*ledger);
  return out;
}

Result<uint64_t> readTests(const std::string &folder,
                           const std::function<bool(const Test &)> &visit) {
  if (Result<llvm::json::Object> run = readRun(folder); !run) return run.error();
  llvm::Expected<report::Tests> tests =
      report::Tests::open(folder, report::Tests::Which::TestsAndBugs);
  if (!tests) return unusable(tests.takeError());
  report::TestReader reader(*tests);
  uint64_t visited = 0;
  for (const report::Tests::Item &item : tests->items()) {
    llvm::Expected<report::StoredTest> test = reader.readWhole(item);
    if (!test) return toApiError(test.takeError());
    ++visited;
    if (!visit(toApiTest(*test, item.number, item.isBug ? item.dir : test->bug))) break;
  }
  return visited;
}

} // namespace fathom::api
