// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/RunAll.h"

#include "report/Dismissals.h"
#include "report/Files.h"
#include "report/ResultsFolder.h"
#include "report/RunFile.h"
#include "run/all/CoveredFile.h"
#include "run/all/RunBugs.h"
#include "run/all/ShownReports.h"
#include "run/all/Since.h"
#include "run/all/Supervisor.h"
#include "run/Failure.h"
#include "run/fuzz/Corpus.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/page/Page.h"
#include "support/Folder.h"
#include "support/InputPlace.h"
#include "support/TextError.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fathom::run {

namespace {

/// What a results folder of this command holds.
constexpr const char *kEntries[] = {
    "run.json",        "events.jsonl", "fuzz",           "explore",
    "confirm",         "inbox",        "logs",           "scan.sarif",
    "confirmed.sarif", "covered.json", "report.html",    "suite",
    "since",           "verdicts",     "functions.json", "since-corpus"};

/// Also what was being written when a run was killed.
bool isOurs(const std::string &name) {
  const std::string whole = name.starts_with(".") ? name.substr(1) : name;
  return std::ranges::find(kEntries, whole) != std::end(kEntries);
}

/// What is wrong with the folder that the user named; nothing of it is touched.
llvm::Error checkResults(const RunRequest &request, const std::string &folder) {
  std::error_code none;
  const auto entries = entriesOf(folder, none);
  const bool isRun = llvm::sys::fs::exists(folder + "/run.json");
  if (request.resume)
    return isRun ? llvm::Error::success()
                 : usageError(
                       fmt::format("--resume: {} has no results of fathom run", request.folder));
  for (const auto &entry : entries)
    if (const std::string name = entry.path().filename().string(); !isRun || !isOurs(name))
      return usageError(fmt::format("{} is not empty and is no results folder of fathom run (it "
                                    "has {}); name another one with -o",
                                    request.folder, name));
  if (!entries.empty() && !request.force)
    return usageError(fmt::format("{} already has results; --force replaces them, --resume "
                                  "continues the run, -o names another folder",
                                  request.folder));
  return llvm::Error::success();
}

/// The folder, with room in it. This process and all of its parts lock it, until the last of them
/// is gone: parts of a run that was killed still write their results.
llvm::Expected<report::Directory> openFolder(const RunRequest &request, const std::string &folder) {
  constexpr std::chrono::seconds kParts{60}, kUsually{1};
  if (llvm::Error e = checkResults(request, folder)) return std::move(e);
  auto root = asUsage(report::Directory::openOrCreate(folder));
  if (!root) return root;
  if (llvm::Error e = report::lockFolder(*root, request.resume ? kParts : kUsually))
    return asUsage(std::move(e));
  if (!request.resume)
    for (const std::string &name : root->entries())
      if (llvm::Error e = root->remove(name)) return asUsage(std::move(e));
  if (auto logs = asUsage(root->openOrCreateIn("logs")); !logs) return logs.takeError();
  return root;
}

llvm::Error writeRun(const RunRequest &request, const report::Directory &root,
                     const report::RunTimes &times, const RunResult *result) {
  return root.replace(
      "run.json", report::jsonText([&](llvm::json::OStream &json) {
        json.object([&] {
          report::writeRunHead(json, "run", request.commandLine, {absolutePath(request.program)});
          report::writeRunTimes(json, times, result ? &result->howEnded : nullptr);
          if (!result) return;
          json.attributeObject("totals", [&] {
            json.attribute("wall_seconds", result->wallSeconds);
            json.attribute("processor_seconds", result->processorSeconds);
            json.attribute("branches_covered", static_cast<int64_t>(result->sidesCovered));
            json.attribute("branches_total", static_cast<int64_t>(result->sidesTotal));
            json.attribute("bugs", static_cast<int64_t>(result->bugs.size()));
          });
        });
      }));
}

/// Reports that a bug of this run shows are confirmed, whatever searches said of them.
void joinReports(const RunRequest &request, const std::string &folder, RunResult &result,
                 Session &session) {
  const std::string verdicts = folder + "/confirmed.sarif", reports = folder + "/scan.sarif";
  const std::string &from = llvm::sys::fs::exists(verdicts) ? verdicts : reports;
  if (!request.scans || result.bugs.empty() || !llvm::sys::fs::exists(from)) return;
  llvm::Expected<ShownReports> shown = confirmByBugs(from, verdicts, folder, result.bugs);
  if (!shown) {
    result.failure = llvm::toString(shown.takeError());
    return;
  }
  result.confirmed += shown->all();
  result.possible -= std::min(result.possible, shown->possible);
  result.refuted -= std::min<uint64_t>(result.refuted, shown->refuted.size());
  for (const std::string &place : shown->refuted)
    session.observer.warn(fmt::format("the report at {} was refuted, and an input shows it: "
                                      "please report this mistake of Fathom",
                                      place));
}

llvm::Expected<campaign::FuzzVariant> buildVariant(const RunRequest &request) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  llvm::Expected<native::VariantTools> tools = variantTools(request.sanitizers.runtimeObject());
  if (!tools) return tools.takeError();
  auto variant =
      asUsage(campaign::fuzzVariant({request.program}, load, *tools, request.sanitizers));
  if (!variant || !request.sync.empty()) return variant;
  // The campaign finds this one in the cache: built there, it would take the time of the search.
  tools = variantTools("compare.o");
  if (!tools) return tools.takeError();
  auto comparisons = asUsage(campaign::comparisonVariant({request.program}, load, *tools));
  if (!comparisons) return comparisons.takeError();
  return variant;
}

llvm::Error validate(const RunRequest &request) {
  if (!request.jobs || request.jobs > 64)
    return usageError(fmt::format("--jobs {}: expected 1 to 64", request.jobs));
  if (request.resume && request.force)
    return usageError("--resume and --force contradict each other: give one of them");
  if (!request.input.empty() && request.input != "@@" && request.input != "stdin")
    return usageError(fmt::format("--input {}: expected @@ or stdin", request.input));
  if (!request.sync.empty() && !llvm::sys::fs::is_directory(request.sync))
    return usageError(fmt::format("--sync {}: no such folder; expected AFL++'s output folder (-o)",
                                  request.sync));
  if (llvm::Error e = checkSince(request)) return e;
  llvm::Expected<Corpus> corpus = Corpus::open(request.corpus);
  if (!corpus) return corpus.takeError();
  return requireRegularPrograms({request.program});
}

/// As fathom report would.
void writeReport(const RunRequest &request, RunResult &result, Session &session) {
  page::PageRequest page;
  page.folders = {request.folder};
  llvm::Expected<page::PageData> data = page::collectPage(page, session);
  llvm::Expected<std::string> file =
      data ? page::writePage(page, *data) : llvm::Expected<std::string>(data.takeError());
  session.observer.endProgress();
  if (file)
    result.page = *file;
  else
    session.observer.warn("no page was made: " + llvm::toString(file.takeError()));
}

/// As fathom diff would.
void compare(const RunRequest &request, RunResult &result, Session &session) {
  DiffRequest diff;
  diff.before = request.since;
  diff.after = request.folder;
  diff.programs = {request.program};
  diff.dismissed = request.dismissed;
  diff.unfinished = true; // an earlier run may have been killed
  diff.replays = !session.interruption.stop;
  llvm::Expected<Difference> difference = diffResults(diff, session);
  session.observer.endProgress();
  if (difference)
    result.difference = std::move(*difference);
  else
    session.observer.warn(
        fmt::format("--since {}: {}", request.since, llvm::toString(difference.takeError())));
}

void addSuite(const RunRequest &request, const PartContext &context,
              const campaign::FuzzVariant &variant, const report::Directory &root,
              RunResult &result, Session &session) {
  SuiteRequest suite;
  suite.folder = context.folder;
  suite.program = request.program;
  suite.arguments = inputArguments(context);
  suite.variant = &variant;
  suite.corpus = request.corpus;
  suite.afl = request.sync.empty() ? context.folder + "/fuzz/afl" : request.sync;
  for (const RunBug &bug : result.bugs) suite.bugs.push_back({bug.finding, bug.dirs});
  llvm::Expected<Suite> made = makeSuite(suite, root, session);
  if (made)
    result.suite = std::move(*made);
  else
    session.observer.warn("no suite was made: " + llvm::toString(made.takeError()));
}

} // namespace

llvm::Expected<RunResult> runAll(const RunRequest &asked, Session &session) {
  RunRequest request = asked;
  if (llvm::Error e = validate(request)) return std::move(e);
  const std::string folder = absolutePath(request.folder);
  auto dismissals = asUsage(report::Dismissals::forProgram(request.dismissed, {request.program}));
  if (!dismissals) return dismissals.takeError();
  session.observer.progress("building the instrumented program");
  llvm::Expected<campaign::FuzzVariant> variant = buildVariant(request);
  session.observer.endProgress();
  if (!variant) return variant.takeError();
  llvm::Expected<report::Directory> root = openFolder(request, folder);
  if (!root) return root.takeError();
  llvm::Expected<RunEvents> events = RunEvents::open(folder + "/events.jsonl");
  if (!events) return asUsage(events.takeError());
  report::RunTimes times{report::utcNow(), {}};
  if (request.resume) {
    if (auto before = report::readJsonObject(folder + "/run.json"))
      times = report::resumedTimes(*before);
    else
      llvm::consumeError(before.takeError()); // it was killed when it wrote it: begun now
  }
  if (llvm::Error e = writeRun(request, *root, times, nullptr)) return std::move(e);
  const std::vector<FunctionCode> functions = functionCode(variant->layout);
  if (llvm::Error e = writeFunctionCode(*root, functions)) return std::move(e);
  std::optional<Since> since;
  if (!request.since.empty()) {
    auto prepared = prepareSince(request, *root, functions);
    if (!prepared) return prepared.takeError();
    since.emplace(std::move(*prepared));
    session.observer.announce(sinceText(*since));
  }

  PartContext context{request, folder, session.interruption};
  context.isHarness = variant->isHarness;
  context.takesFile = request.input == "@@" || hasInputPlace(request.arguments);
  context.resumes = request.resume;
  context.since = since ? &*since : nullptr;
  context.parts = makeSharedParts();
  if (!context.parts) return textError("no memory for the parts to share");
  context.parts->sides = std::min(variant->layout.sides, SharedParts::kMaxSides);
  session.interruption.begin();
  const std::shared_ptr<SharedParts> parts = context.parts;
  std::array<uint64_t, kRunParts> bugsBefore{};
  if (request.resume) {
    readCovered(folder, *parts);
    for (const Part part : {Part::Fuzz, Part::Explore})
      bugsBefore[indexOf(part)] = bugFolders(folder, part);
  }
  Supervisor supervisor(request, context, std::move(*events), bugsBefore, *dismissals, session);
  llvm::Expected<RunResult> result = supervisor.run();
  if (!result) return result.takeError();
  if (llvm::Error e = addBugs(folder, *dismissals, *result))
    result->failure = llvm::toString(std::move(e));
  joinReports(request, folder, *result, session);
  if (llvm::Error e = writeRun(request, *root, times, &*result)) return std::move(e);
  if (llvm::Error e = writeCovered(folder, *parts)) return std::move(e);
  if (request.minimises) addSuite(request, context, *variant, *root, *result, session);
  if (since) compare(request, *result, session);
  writeReport(request, *result, session);
  return result;
}

} // namespace fathom::run
