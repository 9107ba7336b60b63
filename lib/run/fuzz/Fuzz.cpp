// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/fuzz/Fuzz.h"

#include "campaign/Import.h"
#include "campaign/Outlook.h"
#include "native/Confine.h"
#include "report/CampaignText.h"
#include "report/ResultsFolder.h"
#include "run/Failure.h"
#include "run/fuzz/Convergence.h"
#include "run/fuzz/Corpus.h"
#include "run/fuzz/FuzzOptions.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/psp/AlarmPlaces.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <thread>

namespace fathom::run {

/// Where fathom scan --assertions raises alarms. What it does not get to in its time is an alarm.
static llvm::Expected<campaign::PointChoice> pointsOf(const FuzzRequest &request,
                                                      Session &session) {
  campaign::PointChoice choice = request.states;
  if (!choice.alarms) return choice;
  ScanOptions scan;
  scan.programs = {request.program};
  scan.limits.time = std::chrono::minutes(2);
  scan.limits.timeText = "2m";
  auto checked = scanAssertions(scan, session);
  if (!checked) return checked.takeError();
  choice.places = placesOf(**checked);
  if (!choice.any())
    return usageError(fmt::format("--state-samples={}: fathom scan --assertions has no alarm in {}",
                                  request.statesText, request.program));
  return choice;
}

static llvm::Error checkVariant(const FuzzRequest &request, const campaign::FuzzVariant &variant) {
  // A fuzz target takes its input in memory.
  if (variant.isHarness && !request.input.empty())
    return usageError(fmt::format("--input {}: {} is a fuzz target (LLVMFuzzerTestOneInput), which "
                                  "takes its input in memory; leave it out",
                                  request.input, request.program));
  // Without debug information no variable has a name.
  if (!request.statesText.empty() && variant.points.empty())
    return usageError(fmt::format("--state-samples={}: {} has no such point with a variable that "
                                  "debug information names; compile it with -g",
                                  request.statesText, request.program));
  return llvm::Error::success();
}

/// Why the campaign never began.
static std::string noSeedText(const FuzzRequest &request, size_t bugs) {
  std::string found;
  if (bugs)
    found = fmt::format(" ({} in {}/bugs)",
                        bugs == 1 ? "1 bug is" : fmt::format("{} bugs are", bugs), request.folder);
  return request.corpus.empty()
             ? fmt::format(
                   "the initial input (one short line) crashes, or does not end "
                   "within --test-time {}{}; pass --corpus with an input that ends normally",
                   request.testTimeText, found)
             : fmt::format("--corpus {}: every input in it crashes, or does not end within "
                           "--test-time {}{}; expected at least one that ends normally",
                           request.corpus, request.testTimeText, found);
}

namespace {

class Fuzzing {
public:
  Fuzzing(const FuzzRequest &request, Session &session) : request_(request), session_(session) {}

  llvm::Expected<FuzzedCampaign> run() {
    if (llvm::Error e = prepare()) return std::move(e);
    listen();
    if (llvm::Error e = request_.import.empty() ? fuzz() : import()) return std::move(e);
    if (!notStored_.empty()) out_.failure = notStored_;
    session_.observer.endProgress();
    if (!out_.failure.empty() && out_.status.executions == 0 && !request_.resume)
      return usageError(out_.failure); // the folder stays: afl-fuzz's own words are in it
    if (llvm::Error e = folder_->finish(out_.status, out_.howEnded)) return std::move(e);
    if (out_.failure.empty() && convergence_) out_.failure = convergence_->problem();
    out_.findings = folder_->findings();
    if (hasNoSeed_) out_.whyNotBegun = noSeedText(request_, out_.findings.size());
    return std::move(out_);
  }

private:
  /// The variants and the folder.
  llvm::Error prepare() {
    if (llvm::Error e = validate(request_)) return e;
    llvm::Expected<campaign::CampaignOptions> options = campaignOptions(request_);
    if (!options) return options.takeError();
    options_ = std::move(*options);
    llvm::Expected<Corpus> corpus = Corpus::open(request_.corpus);
    if (!corpus) return corpus.takeError();
    corpus_ = std::move(*corpus);
    if (llvm::Error e = requireRegularPrograms({request_.program})) return e;
    if (!request_.resume)
      if (llvm::Error e = asUsage(report::checkFolder(options_.folder, request_.force))) return e;
    if (llvm::Error e = build()) return e;
    report::CampaignFolderOptions results = folderOptions(request_, options_, variant_);
    auto dismissals =
        asUsage(report::Dismissals::forProgram(request_.dismissed, {request_.program}));
    if (!dismissals) return dismissals.takeError();
    results.dismissals = std::move(*dismissals);
    auto folder = asUsage(report::CampaignFolder::create(std::move(results)));
    if (!folder) return folder.takeError();
    folder_ = std::move(*folder);
    out_.database = options_.folder + "/campaign.db";
    session_.interruption.begin();
    if (!request_.untilStable) return llvm::Error::success();
    auto convergence = Convergence::create(variant_.points, *request_.untilStable,
                                           options_.folder + "/convergence.csv", request_.resume);
    if (!convergence) return convergence.takeError();
    convergence_.emplace(std::move(*convergence));
    return llvm::Error::success();
  }

  llvm::Error build() {
    program::LoadOptions load;
    load.fathomCc = Installation::get().fathomCc;
    const campaign::Sanitizers &sanitizers = request_.sanitizers;
    llvm::Expected<campaign::PointChoice> points = pointsOf(request_, session_);
    if (!points) return points.takeError();
    llvm::Expected<native::VariantTools> tools = variantTools(sanitizers.runtimeObject());
    if (!tools) return tools.takeError();
    llvm::Expected<campaign::FuzzVariant> variant =
        asUsage(campaign::fuzzVariant({request_.program}, load, *tools, sanitizers, *points));
    if (!variant) return variant.takeError();
    variant_ = std::move(*variant);
    if (llvm::Error e = checkVariant(request_, variant_)) return e;
    if (request_.comparisonLog && request_.import.empty()) {
      tools = variantTools("compare.o");
      if (!tools) return tools.takeError();
      llvm::Expected<std::string> comparisons =
          asUsage(campaign::comparisonVariant({request_.program}, load, *tools));
      if (!comparisons) return comparisons.takeError();
      options_.comparisonExecutable = std::move(*comparisons);
    }
    session_.observer.verbose(
        fmt::format("{} {}", variant_.fromCache ? "using" : "built", variant_.executable));
    return llvm::Error::success();
  }

  void listen() {
    if (request_.showsProgress)
      events_.onProgress = [this, outlook = std::make_shared<campaign::LiveOutlook>(out_.database)](
                               const campaign::CampaignStatus &now) {
        session_.observer.progress(
            report::campaignProgress(now, outlook->at(now), folder_->findings().size()));
      };
    if (request_.onCoverage)
      events_.onCoverage = [this](const campaign::CampaignStatus &now,
                                  const campaign::CoverageTally &tally) {
        request_.onCoverage(now, tally, folder_->findings().size());
      };
    events_.mayRun = request_.mayRun;
    events_.onCrash = [this](const campaign::Crash &crash) {
      if (llvm::Error e = folder_->storeCrash(crash)) notStored_ = llvm::toString(std::move(e));
      return notStored_.empty();
    };
    if (!convergence_) return;
    events_.statesEvery = Convergence::kStride;
    events_.onStates = [this](const campaign::StateSamples &samples, uint64_t executions) {
      return convergence_->add(samples, executions);
    };
  }

  /// On a thread of its own: it loses the right to write outside of the folder, and with it
  /// whatever it starts. Children die with the thread.
  void runConfined(const std::function<void()> &work) {
    native::Confined confined;
    std::thread([&] {
      confined =
          native::confineThread({.writable = {options_.folder, "/tmp", "/var/tmp", "/dev/shm"}});
      work();
    }).join();
    if (confined.by == native::Confined::By::Nothing)
      session_.observer.warn("this machine allows neither read-only mounts nor Landlock: the "
                             "program could write wherever you can");
  }

  llvm::Error import() {
    campaign::ImportOptions import;
    import.folder = options_.folder;
    import.source = absolutePath(request_.import);
    import.arguments = options_.arguments;
    import.unit = options_.unit;
    import.testTime = options_.testTime;
    import.testMemoryBytes = options_.testMemoryBytes;
    import.diagnose = options_.diagnose;
    std::optional<llvm::Expected<campaign::CampaignStatus>> result;
    runConfined([&] {
      result.emplace(campaign::importInputs(variant_, import, events_, session_.interruption.stop));
    });
    if (!*result) return asUsage(result->takeError());
    out_.status = std::move(**result);
    out_.howEnded =
        session_.interruption.stop ? "interrupted" : fmt::format("imported {}", request_.import);
    return llvm::Error::success();
  }

  /// Removes the folder of a new campaign that could not begin.
  llvm::Error discard(llvm::Error error) {
    if (!request_.resume) folder_->discard();
    return asUsage(std::move(error));
  }

  llvm::Error fuzz() {
    llvm::Expected<std::string> seeds = corpus_.inputs(options_.folder + "/corpus");
    if (!seeds) return discard(seeds.takeError());
    options_.seedFolder = std::move(*seeds);
    llvm::Expected<campaign::Campaign> made = campaign::Campaign::create(variant_, options_);
    if (!made) return discard(made.takeError());
    std::optional<llvm::Expected<campaign::CampaignEnd>> end;
    runConfined([&] { end.emplace(made->run(events_, session_.interruption.stop)); });
    out_.status = made->status();
    if (*end) {
      out_.howEnded = campaign::text(**end);
      hasNoSeed_ = **end == campaign::CampaignEnd::NoSeed;
    } else {
      out_.howEnded = out_.failure = llvm::toString(end->takeError());
    }
    return llvm::Error::success();
  }

  const FuzzRequest &request_;
  Session &session_;
  campaign::CampaignOptions options_;
  Corpus corpus_;
  campaign::FuzzVariant variant_;
  std::unique_ptr<report::CampaignFolder> folder_;
  std::optional<Convergence> convergence_;
  campaign::CampaignEvents events_;
  FuzzedCampaign out_;
  std::string notStored_;
  bool hasNoSeed_ = false;
};

} // namespace

llvm::Expected<FuzzedCampaign> fuzz(const FuzzRequest &request, Session &session) {
  return Fuzzing(request, session).run();
}

} // namespace fathom::run
