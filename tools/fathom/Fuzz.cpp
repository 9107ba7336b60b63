// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom fuzz: the fuzzing variant, a campaign of AFL++ on it, and what it says about the program.
#include "Command.h"
#include "FuzzText.h"
#include "Status.h"

#include "campaign/Campaign.h"
#include "native/Confine.h"
#include "report/CampaignFolder.h"
#include "report/ResultsFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace fathom::tool {

namespace {

struct FuzzFlags {
  CommonOptions common;
  std::string program, input, corpus, unit = "10s", testTime = "1s", testMemory = "2G";
  uint64_t seed = 1, maxExecutions = 0, maxUnits = 0;
  bool noRecord = false;
};

const char *const kFooter =
    R"(PROGRAM's arguments follow "--"; @@ among them stands for the file with the input, and without one the input is
standard input. A program that defines LLVMFuzzerTestOneInput needs neither.
Every execution is recorded: which branch sides and basic blocks of the program's own code each sampling unit covered
is in campaign.db, which fathom estimate reads, also while the campaign runs.

example:
  fathom fuzz src/cut --corpus seeds --max-time 1h -o campaign -- -d : -f 2
  fathom fuzz parser --input @@ --jobs 4 --unit 1000execs --max-time 10m -o campaign
  fathom estimate campaign)";

/// Arguments with @@ where the input file is, or none, for standard input.
std::vector<std::string> programArguments(const FuzzFlags &flags, const Invocation &invocation) {
  std::vector<std::string> arguments = invocation.arguments;
  bool hasPlace = false;
  for (const std::string &a : arguments) hasPlace |= a.find("@@") != std::string::npos;
  if (flags.input == "stdin" && hasPlace)
    throw UsageError("--input stdin: an argument has @@, which stands for an input file");
  if (flags.input == "@@" && !hasPlace) arguments.push_back("@@");
  return arguments;
}

std::string corpusFolder(const std::string &corpus) {
  if (corpus.empty()) return "";
  if (!llvm::sys::fs::is_directory(corpus))
    throw UsageError(fmt::format("--corpus {}: expected a folder with inputs", corpus));
  std::error_code failed;
  for (llvm::sys::fs::directory_iterator at(corpus, failed), end; at != end && !failed;
       at.increment(failed)) {
    uint64_t bytes = 0;
    if (llvm::sys::fs::is_regular_file(at->path()) &&
        !llvm::sys::fs::file_size(at->path(), bytes) && bytes)
      return absolutePath(corpus);
  }
  throw UsageError(
      fmt::format("--corpus {}: no input in it: expected a file that is not empty", corpus));
}

campaign::CampaignOptions campaignOptions(const FuzzFlags &flags, const Invocation &invocation) {
  campaign::CampaignOptions options;
  const CommonOptions &common = flags.common;
  if (common.jobs == 0 || common.jobs > 64)
    throw UsageError(fmt::format("--jobs {}: expected 1 to 64", common.jobs));
  if (!common.maxMemory.empty())
    throw UsageError("--max-memory: not for campaigns; --test-memory bounds each execution");
  if (!campaign::parseUnitLength(flags.unit, options.unit))
    throw UsageError(fmt::format("--unit {}: expected a time of 100ms or more, or a number of "
                                 "executions, such as 10s or 1000execs",
                                 flags.unit));
  if (!flags.input.empty() && flags.input != "@@" && flags.input != "stdin")
    throw UsageError(fmt::format("--input {}: expected @@ or stdin", flags.input));
  options.folder = absolutePath(common.output);
  options.arguments = programArguments(flags, invocation);
  options.seeds = corpusFolder(flags.corpus);
  options.jobs = common.jobs;
  options.seed = flags.seed;
  options.maxTime = common.time();
  options.maxExecutions = flags.maxExecutions;
  options.maxUnits = flags.maxUnits;
  options.testTime = parseDuration("--test-time", flags.testTime);
  options.testMemoryBytes = parseSize("--test-memory", flags.testMemory);
  if (options.testTime < std::chrono::milliseconds(20) || options.testTime > std::chrono::hours(1))
    throw UsageError(fmt::format("--test-time {}: expected 20ms to 1h", flags.testTime));
  options.resume = common.resume;
  options.record = !flags.noRecord;
  options.aflFuzz = native::findProgram("afl-fuzz");
  if (options.aflFuzz.empty())
    throw UsageError("afl-fuzz is not installed; Debian has it in the package afl++");
  return options;
}

report::CampaignFolderOptions folderOptions(const FuzzFlags &flags, const Invocation &invocation,
                                            const campaign::CampaignOptions &options,
                                            const campaign::FuzzVariant &variant) {
  report::CampaignFolderOptions folder;
  folder.path = options.folder;
  folder.force = flags.common.force;
  folder.resume = options.resume;
  folder.commandLine = invocation.all;
  folder.program = absolutePath(flags.program);
  llvm::StringRef ending = llvm::sys::path::extension(flags.program);
  llvm::StringRef native(flags.program);
  if (ending == ".bc") native.consume_back(".bc");
  if (access(native.str().c_str(), X_OK) == 0) folder.nativeProgram = absolutePath(native.str());
  folder.arguments = options.arguments;
  folder.isHarness = variant.isHarness;
  folder.unit = options.unit.text();
  folder.seed = options.seed;
  return folder;
}

/// On a thread of its own: it loses the right to write outside of the folder, and with it whatever
/// it starts. Children die with the thread.
llvm::Expected<campaign::CampaignEnd> runConfined(campaign::Campaign &campaign,
                                                  const campaign::CampaignEvents &events,
                                                  const std::string &folder, Context &context) {
  std::optional<llvm::Expected<campaign::CampaignEnd>> result;
  native::Confined confined;
  std::thread([&] {
    confined = native::confineThread({.writable = {folder, "/tmp", "/var/tmp", "/dev/shm"}});
    result.emplace(campaign.run(events, context.stop));
  }).join();
  if (confined.by == native::Confined::By::Nothing)
    context.log.warn("this machine allows neither read-only mounts nor Landlock: the program "
                     "could write wherever you can");
  return std::move(*result);
}

int runFuzz(const FuzzFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  if (common.force && common.resume)
    throw UsageError("--force and --resume contradict each other: give one of them");
  campaign::CampaignOptions options = campaignOptions(flags, context.invocation);
  requireRegularPrograms({flags.program});
  if (!common.resume) orUsage(report::checkFolder(options.folder, common.force));
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  campaign::FuzzVariant variant =
      orUsage(campaign::fuzzVariant({flags.program}, load, variantTools("fuzz.o")));
  context.log.verbose(
      fmt::format("{} {}", variant.fromCache ? "using" : "built", variant.executable));

  auto folder = orUsage(
      report::CampaignFolder::create(folderOptions(flags, context.invocation, options, variant)));
  llvm::Expected<campaign::Campaign> made = campaign::Campaign::create(variant, options);
  if (!made) {
    if (!common.resume) folder->discard();
    orUsage(made.takeError());
  }
  campaign::Campaign &campaign = *made;

  context.catchInterrupts();
  Status status(/*enabled=*/!common.quiet);
  FuzzText texts;
  std::string notStored;
  campaign::CampaignEvents events;
  events.onProgress = [&](const campaign::CampaignStatus &now) {
    // The estimate in it takes time, which nobody who asked for quiet wants to spend.
    if (!common.quiet) status.show(texts.progress(now, folder->findings().size()));
  };
  events.onCrash = [&](const campaign::Crash &crash) {
    if (llvm::Error e = folder->storeCrash(crash)) notStored = llvm::toString(std::move(e));
    return notStored.empty();
  };
  llvm::Expected<campaign::CampaignEnd> end =
      runConfined(campaign, events, options.folder, context);
  status.clear();
  const campaign::CampaignStatus &now = campaign.status();
  std::string howEnded, problem = notStored;
  if (end)
    howEnded = campaign::text(*end);
  else
    howEnded = problem = llvm::toString(end.takeError());
  if (!problem.empty() && now.executions == 0 && !common.resume)
    throw UsageError(problem); // the folder stays: afl-fuzz's own words are in it
  if (llvm::Error e = folder->finish(now, howEnded))
    throw InternalError(llvm::toString(std::move(e)));
  if (common.json)
    fputs(texts.json(now, folder->findings(), howEnded).c_str(), stdout);
  else if (!common.quiet)
    fputs(texts.summary(now, folder->findings(), howEnded, flags.program, common.output).c_str(),
          stdout);
  if (!problem.empty()) throw InternalError(problem);
  return common.failOnFindings && !folder->findings().empty() ? kFindings : kDone;
}

} // namespace

Run declareFuzz(CLI::App &app) {
  auto flags = std::make_shared<FuzzFlags>();
  app.footer(kFooter);
  app.add_option("PROGRAM", flags->program,
                 "an executable that fathom-cc linked, its .bc, or a C file")
      ->required();
  app.add_option("--input", flags->input,
                 "how the program gets its input: @@ (a file, named as the last argument or where "
                 "@@ is) or stdin (default)")
      ->type_name("HOW");
  app.add_option("--corpus", flags->corpus, "inputs to begin with; default: one short line")
      ->type_name("DIR");
  app.add_option("--unit", flags->unit, "length of a sampling unit: 10s, 1000execs")
      ->capture_default_str()
      ->type_name("LENGTH");
  app.add_option("--max-executions", flags->maxExecutions, "stop after so many executions")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 52))
      ->type_name("N");
  app.add_option("--max-units", flags->maxUnits, "stop after so many sampling units")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 32))
      ->type_name("N");
  app.add_option("--seed", flags->seed, "of AFL++'s random choices")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--test-time", flags->testTime, "for one execution")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--test-memory", flags->testMemory, "address space of one execution")
      ->capture_default_str()
      ->type_name("SIZE");
  app.add_flag("--no-record", flags->noRecord,
               "record nothing: only to measure what recording costs");
  flags->common.add(app, /*withOutput=*/true);
  return [flags](Context &context) { return runFuzz(*flags, context); };
}

} // namespace fathom::tool
