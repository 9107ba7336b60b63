// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/PartWork.h"

#include "confirm/Batch.h"
#include "confirm/BatchReport.h"
#include "confirm/VerdictSarif.h"
#include "report/ScanReport.h"
#include "report/SeedFiles.h"
#include "run/all/EarlierVerdicts.h"
#include "run/all/Inbox.h"
#include "run/all/PartLog.h"
#include "run/confirm/Confirm.h"
#include "run/explore/Explore.h"
#include "run/fuzz/Fuzz.h"
#include "run/InputFiles.h"
#include "run/OutputFile.h"
#include "run/scan/Scan.h"
#include "support/InputPlace.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

namespace {

/// Room for input that the exploration makes: twice what it is given, within these bounds.
constexpr uint64_t kLeastRoom = 1024, kMostRoom = 65536;
/// The shares of --max-memory; the rest is for executions of the program.
constexpr double kExploreMemory = 0.5, kConfirmMemory = 0.25;
constexpr std::chrono::minutes kScanTime{10};

std::optional<uint64_t> shareOf(const Limits &limits, double share) {
  if (!limits.memoryBytes) return std::nullopt;
  return static_cast<uint64_t>(static_cast<double>(*limits.memoryBytes) * share);
}

int ended(PartLog &log, llvm::Error error) {
  if (!error) return 0;
  log.failed(llvm::toString(std::move(error)));
  return 3;
}

std::string logFile(const PartContext &context, Part part) {
  return fmt::format("{}/logs/{}.log", context.folder, nameOf(part));
}

/// Enough for the headers of most formats.
constexpr size_t kShortInput = 40;

/// The inputs that the run begins with, and zeros, because an exploration follows inputs and has to
/// have one of each length. Beside a corpus only short ones: far more of their paths come to an
/// end.
std::vector<std::vector<uint8_t>> firstInputs(const PartContext &context) {
  std::vector<std::vector<uint8_t>> out;
  size_t skipped = 0;
  if (!context.request.corpus.empty()) {
    if (auto seeds = report::readSeeds(context.request.corpus, skipped)) {
      for (explore::Seed &seed : *seeds)
        if (seed.raw) out.push_back(std::move(seed.data));
    } else {
      llvm::consumeError(seeds.takeError()); // the campaign says what is wrong with it
    }
  }
  if (!out.empty())
    out.emplace_back(kShortInput);
  else
    for (const size_t size : {16u, 64u, 256u}) out.emplace_back(size);
  return out;
}

llvm::Expected<report::Dismissals> dismissalsFor(const PartContext &context) {
  return report::Dismissals::forProgram(context.request.dismissed, {context.request.program});
}

uint64_t roomFor(const std::vector<std::vector<uint8_t>> &inputs) {
  uint64_t largest = 0;
  for (const std::vector<uint8_t> &input : inputs)
    largest = std::max<uint64_t>(largest, input.size());
  return std::clamp(2 * largest, kLeastRoom, kMostRoom);
}

/// The program's input as the engine has it: file A in the place of @@, or standard input.
void describeInput(const PartContext &context, uint64_t room, std::vector<std::string> &symbolic,
                   std::vector<std::string> &arguments) {
  arguments = inputArguments(context);
  putInputName(arguments, "A");
  if (context.takesFile)
    symbolic = {"--sym-files", "1", std::to_string(room)};
  else if (!context.isHarness)
    symbolic = {"--sym-stdin", std::to_string(room)};
}

} // namespace

std::vector<std::string> inputArguments(const PartContext &context) {
  std::vector<std::string> out = context.request.arguments;
  if (context.takesFile && !hasInputPlace(out)) out.emplace_back("@@");
  return out;
}

int fuzzPart(const PartContext &context) {
  PartLog log(logFile(context, Part::Fuzz));
  Session session{log, context.interruption};
  const RunRequest &run = context.request;
  FuzzRequest request;
  request.program = run.program;
  request.arguments = run.arguments;
  request.input = context.isHarness ? "" : run.input;
  request.folder = context.folder + "/fuzz";
  request.resume = context.resumes;
  request.commandLine = run.commandLine;
  request.corpus = run.corpus;
  request.dismissed = run.dismissed;
  request.dictionaries = run.dictionaries;
  request.sanitizers = run.sanitizers;
  request.seed = run.seed;
  request.jobs = context.jobs;
  request.showsProgress = false;
  request.inbox = context.folder + "/inbox";
  request.mayRun = [&] { return context.parts->of(Part::Fuzz).processors > 0; };
  request.onCoverage = [&](const campaign::CampaignStatus &now,
                           const campaign::CoverageTally &tally, size_t bugs) {
    // Before the first mutation all that is covered are the initial inputs'.
    const bool isFuzzing = now.coverage.stages[FATHOM_STAGE_FUZZING] > 0;
    const uint32_t sides = std::min<uint32_t>(tally.sides(), context.parts->sides);
    for (uint32_t side = 0; side < sides; side++)
      if (tally.found()[side]) context.parts->cover(isFuzzing ? Part::Fuzz : Part::Seeds, side);
    context.parts->of(Part::Fuzz).work = now.executions;
    context.parts->of(Part::Fuzz).bugs = bugs;
  };
  llvm::Expected<FuzzedCampaign> done = fuzz(request, session);
  if (!done) return ended(log, done.takeError());
  if (!done->whyNotBegun.empty()) log.failed(done->whyNotBegun);
  if (!done->failure.empty()) log.failed(done->failure);
  return done->failure.empty() && done->whyNotBegun.empty() ? 0 : 3;
}

int explorePart(const PartContext &context) {
  PartLog log(logFile(context, Part::Explore));
  Session session{log, context.interruption};
  const RunRequest &run = context.request;
  KnownBytes known;
  llvm::Expected<Inbox> inbox =
      run.sync.empty() ? Inbox::open(context.folder + "/inbox", Inbox::Names::Plain, known)
                       : Inbox::open(fmt::format("{}/{}/queue", run.sync, kInstance),
                                     Inbox::Names::Queue, known);
  if (!inbox) return ended(log, inbox.takeError());
  std::vector<std::vector<uint8_t>> first = firstInputs(context);
  const uint64_t room = roomFor(first);
  QueueInputs inputs(run.sync.empty() ? context.folder + "/fuzz/afl" : run.sync, std::move(first),
                     run.sync.empty(), *context.parts, known);
  ExploreRequest request;
  request.programs = {run.program};
  describeInput(context, room, request.symbolic, request.arguments);
  explore::ExploreOptions &options = request.options;
  options.search = "random-path,covnew,pending";
  if (context.since)
    if (const std::string targets = targetsOf(*context.since); !targets.empty())
      options.search += "," + targets;
  options.inputs = &inputs;
  options.sizedInput = options.fuzzBytes = room; // an input has the length of the one it comes from
  options.onlyNewCoverage = true;
  options.seed = run.seed.value_or(1);
  options.jobs = context.jobs;
  request.limits.memoryBytes = shareOf(run.limits, kExploreMemory);
  ExploreOutput &output = request.output;
  output.folder = context.folder + "/explore";
  // A session that was killed before its first checkpoint is begun anew.
  output.resume = context.resumes && llvm::sys::fs::exists(output.folder + "/checkpoint");
  output.force = context.resumes && !output.resume;
  output.commandLine = run.commandLine;
  output.dismissed = run.dismissed;
  std::string failed;
  context.parts->of(Part::Fuzz).inputs = inbox->size();
  const auto give = [&](const explore::TestCase &test) {
    const std::vector<uint8_t> *bytes = report::rawInput(test);
    if (!bytes) return;
    if (llvm::Error e = inbox->put(*bytes)) failed = llvm::toString(std::move(e));
    context.parts->of(Part::Fuzz).inputs = inbox->size();
  };
  output.onInput = give;
  output.onTest = [&](uint64_t, const explore::TestCase &test, const std::string &bug) {
    if (test.coversNew || !bug.empty()) give(test);
  };
  output.onProgress = [&](const explore::Stats &stats) {
    context.parts->of(Part::Explore).work = stats.pathsCompleted;
    context.parts->of(Part::Explore).bugs = stats.bugs;
  };
  if (llvm::Error e = prepareExploration(request, /*needsFolder=*/true))
    return ended(log, std::move(e));
  llvm::Expected<Exploration> done = explore(request, session);
  if (!done) return ended(log, done.takeError());
  context.parts->of(Part::Explore).bugs = done->folder->findings().size();
  if (failed.empty()) failed = done->failure;
  if (!failed.empty()) log.failed(failed);
  return failed.empty() ? 0 : 3;
}

int scanPart(const PartContext &context) {
  PartLog log(logFile(context, Part::Scan));
  Session session{log, context.interruption};
  ScanOptions options;
  options.programs = {context.request.program};
  options.limits.time = kScanTime;
  options.limits.timeText = "10m";
  llvm::Expected<report::ScanResult> result = scanReports(options, session);
  if (!result) return ended(log, result.takeError());
  report::SourceLines sources;
  report::ScanSarif sarif{nullptr, result->notes, result->isComplete, result->cut};
  sarif.programs = {absolutePath(context.request.program)};
  sarif.scope = scopeOf(options);
  auto dismissals = dismissalsFor(context);
  if (!dismissals) return ended(log, dismissals.takeError());
  sarif.marks = report::marksOf(result->reports, sources, *dismissals);
  const auto dismissed = static_cast<uint64_t>(
      std::ranges::count_if(sarif.marks, &report::DismissalMark::isDismissed));
  context.parts->of(Part::Scan).dismissed = dismissed;
  context.parts->of(Part::Scan).reports = result->reports.size() - dismissed;
  return ended(
      log, writeDocument("--sarif", context.folder + "/scan.sarif", [&](llvm::raw_ostream &out) {
        report::writeScanSarif(out, result->reports, sources, sarif);
      }));
}

int confirmPart(const PartContext &context) {
  PartLog log(logFile(context, Part::Confirm));
  Session session{log, context.interruption};
  constexpr uint64_t kRoom = 64; // paths of long inputs are many
  ConfirmRequest request;
  request.programs = {context.request.program};
  request.reports = {context.folder + "/scan.sarif"};
  describeInput(context, kRoom, request.symbolic, request.arguments);
  request.hasArguments = true;
  request.jobs = context.jobs;
  request.limits.memoryBytes = shareOf(context.request.limits, kConfirmMemory);
  request.output = context.folder + "/confirm";
  request.force = true; // of an earlier session
  EarlierVerdicts earlier(context.folder);
  request.commandLine = context.request.commandLine;
  if (context.since) request.comesFirst = changedPlaces(*context.since);
  const std::string kept = takeVerdicts(context.since, request);
  PartNumbers &numbers = context.parts->of(Part::Confirm);
  llvm::Expected<Confirmation> done = confirmReports(request, session);
  if (!done) return ended(log, done.takeError());
  keepVerdicts(context.folder, kept, request);
  numbers.kept = done->batch->kept();
  auto dismissals = dismissalsFor(context);
  if (!dismissals) return ended(log, dismissals.takeError());
  report::SourceLines sources;
  const confirm::ReportListing listing = confirm::listingOf(*done->batch, sources, *dismissals, {});
  const confirm::BatchCounts counts = confirm::countsOf(*done->batch, listing);
  const auto tell = [&numbers](const confirm::VerdictCounts &verdicts) {
    numbers.confirmed = confirm::countOf(verdicts, confirm::Verdict::Confirmed);
    numbers.possible = confirm::countOf(verdicts, confirm::Verdict::Possible);
    numbers.refuted = confirm::countOf(verdicts, confirm::Verdict::Refuted);
  };
  tell(counts.verdicts);
  if (context.interruption.stop && earlier.hasMoreThan(numbers.settled())) {
    tell(earlier.verdicts());
    return 0;
  }
  earlier.replace();
  return ended(log, writeDocument("--sarif", context.folder + "/confirmed.sarif",
                                  [&](llvm::raw_ostream &out) {
                                    confirm::writeVerdictSarif(*done->batch, sources, listing, out);
                                  }));
}

} // namespace fathom::run
