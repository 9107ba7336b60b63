// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom fuzz: the fuzzing variant, a campaign of AFL++ on it, and what it says about the program.
#include "Command.h"
#include "Convergence.h"
#include "FuzzText.h"
#include "OptionModel.h"
#include "ScanFlags.h"
#include "Status.h"

#include "campaign/Campaign.h"
#include "campaign/Dictionary.h"
#include "campaign/Import.h"
#include "campaign/Mutator.h"
#include "native/Confine.h"
#include "report/CampaignFolder.h"
#include "report/Diagnose.h"
#include "report/ReplayScript.h"
#include "report/ResultsFolder.h"
#include "run/fuzz/Corpus.h"
#include "run/psp/AlarmPlaces.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace fathom::tool {

namespace {

struct FuzzFlags {
  CommonOptions common;
  std::string program, input, corpus, import, unit = "10s", testTime = "1s", testMemory = "2G";
  std::optional<uint64_t> seed;
  uint64_t maxExecutions = 0, maxUnits = 0;
  std::vector<std::string> dictionaries, mutators;
  unsigned iterations = 1000;
  bool onlyMutators = false;
  std::string sanitize;
  bool noRecord = false, noComparisonLog = false;
  std::string stateSamples; ///< points; empty: none
  std::optional<double> untilStable;
};

const char *const kFuzzFooter =
    R"(PROGRAM's arguments follow "--". An argument @@ stands for the file with the input; without it, the program reads the
input from standard input. A program that defines LLVMFuzzerTestOneInput needs neither.
Fathom records every execution: campaign.db says which branch sides and basic blocks of the program's own code each
sampling unit covered. fathom estimate reads it, even while the campaign runs. Calibration, trimming and the comparison
log are recorded separately.

example:
  fathom fuzz src/cut --corpus seeds --max-time 1h -o campaign -- -d : -f 2
  fathom fuzz parser --input @@ --jobs 4 --unit 1000execs --max-time 10m -o campaign
  fathom fuzz parser --import afl-out -o imported
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

/// What does not go with --import, which runs inputs that are there and starts no afl-fuzz.
void checkImport(const FuzzFlags &flags) {
  if (!llvm::sys::fs::is_directory(flags.import))
    throw UsageError(fmt::format("--import {}: expected AFL++'s output folder, or a folder with "
                                 "inputs",
                                 flags.import));
  const char *other = flags.common.resume           ? "--resume"
                      : !flags.corpus.empty()       ? "--corpus"
                      : flags.maxExecutions         ? "--max-executions"
                      : flags.common.jobs > 1       ? "--jobs"
                      : flags.noRecord              ? "--no-record"
                      : !flags.dictionaries.empty() ? "-x"
                      : !flags.mutators.empty()     ? "--mutator"
                      : flags.common.time().count() ? "--max-time"
                                                    : nullptr;
  if (other)
    throw UsageError(fmt::format("{}: not with --import, which runs every input once", other));
}

/// A fuzz target takes its input in memory.
void checkInput(const FuzzFlags &flags, bool isHarness) {
  if (isHarness && !flags.input.empty())
    throw UsageError(fmt::format("--input {}: {} is a fuzz target (LLVMFuzzerTestOneInput), which "
                                 "takes its input in memory; leave it out",
                                 flags.input, flags.program));
}

/// Executions and units are counted by the recorder.
void checkNoRecord(const FuzzFlags &flags) {
  const char *other = flags.maxExecutions ? "--max-executions" : "--max-units";
  if (flags.noRecord && (flags.maxExecutions || flags.maxUnits))
    throw UsageError(
        fmt::format("{}: not with --no-record, which counts nothing; use --max-time", other));
}

campaign::PointChoice pointChoice(const FuzzFlags &flags) {
  campaign::PointChoice choice;
  if (flags.stateSamples.empty()) return choice;
  if (!flags.import.empty())
    throw UsageError("--state-samples: not with --import, which does not sample states");
  if (!campaign::parsePoints(flags.stateSamples, choice))
    throw UsageError(fmt::format("--state-samples={}: expected assertions, branches, divisions, "
                                 "functions, accesses, alarms, paths, several of them "
                                 "separated by commas, or all",
                                 flags.stateSamples));
  return choice;
}

/// Where fathom scan --assertions raises alarms. What it does not get to in its time is an alarm.
void findAlarms(const FuzzFlags &flags, campaign::PointChoice &choice, Context &context) {
  if (!choice.alarms) return;
  ScanFlags scan;
  scan.programs = {flags.program};
  scan.common.maxTime = "2m";
  run::Session session = context.session();
  choice.places = run::placesOf(*orThrow(run::scanAssertions(scanOptions(scan), session)));
  if (!choice.any())
    throw UsageError(fmt::format("--state-samples={}: fathom scan --assertions has no alarm in {}",
                                 flags.stateSamples, flags.program));
}

void checkStable(const FuzzFlags &flags) {
  if (!flags.untilStable) return;
  if (flags.stateSamples.empty()) throw UsageError("--until-stable: only with --state-samples");
  if (!(*flags.untilStable >= 0 && *flags.untilStable <= 1))
    throw UsageError(fmt::format("--until-stable {}: expected 0 to 1", *flags.untilStable));
}

/// Without debug information no variable has a name.
void checkPoints(const FuzzFlags &flags, const campaign::FuzzVariant &variant) {
  if (!flags.stateSamples.empty() && variant.points.empty())
    throw UsageError(fmt::format("--state-samples={}: {} has no such point with a variable that "
                                 "debug information names; compile it with -g",
                                 flags.stateSamples, flags.program));
}

/// Why the campaign never began.
std::string noSeedText(const FuzzFlags &flags, size_t bugs) {
  std::string found;
  if (bugs)
    found =
        fmt::format(" ({} in {}/bugs)", bugs == 1 ? "1 bug is" : fmt::format("{} bugs are", bugs),
                    flags.common.output);
  return flags.corpus.empty()
             ? fmt::format(
                   "the initial input (one short line) crashes, or does not end "
                   "within --test-time {}{}; pass --corpus with an input that ends normally",
                   flags.testTime, found)
             : fmt::format("--corpus {}: every input in it crashes, or does not end within "
                           "--test-time {}{}; expected at least one that ends normally",
                           flags.corpus, flags.testTime, found);
}

/// What the user knows of the input: words, and mutators.
void addKnowledge(const FuzzFlags &flags, campaign::CampaignOptions &options) {
  for (const std::string &source : flags.dictionaries) {
    llvm::Expected<std::vector<std::string>> words = campaign::readDictionary(source);
    if (!words) throw UsageError("-x " + llvm::toString(words.takeError()));
    options.words.insert(options.words.end(), words->begin(), words->end());
  }
  for (const std::string &library : flags.mutators) {
    const std::string path = absolutePath(library);
    if (llvm::Error e = campaign::checkMutator(path))
      throw UsageError(fmt::format("--mutator {}: {}", library, llvm::toString(std::move(e))));
    options.mutators.push_back(path);
  }
  if (flags.onlyMutators && flags.mutators.empty())
    throw UsageError("--only-mutators: expected --mutator as well");
  options.onlyMutators = flags.onlyMutators;
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
  options.iterations = flags.iterations;
  addKnowledge(flags, options);
  if (!flags.import.empty()) return options;
  options.stages = Installation::get().build + "/lib/fathom/afl-stages.so";
  if (access(options.stages.c_str(), R_OK) != 0)
    throw UsageError(fmt::format("{} is missing; {}", options.stages, Installation::get().remedy));
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
  folder.fuzzed = variant.executable;
  folder.sanitizers = variant.sanitizers.text();
  folder.testMemoryBytes = options.testMemoryBytes;
  folder.unit = options.unit.text();
  folder.seed = options.seed;
  if (!flags.import.empty()) folder.import = absolutePath(flags.import);
  return folder;
}

/// Interprets crashing inputs, for what went wrong before a signal showed it.
campaign::Diagnose diagnosis(const FuzzFlags &flags, const campaign::CampaignOptions &options) {
  report::DiagnoseOptions diagnose;
  diagnose.fathom = Installation::get().bin + "/fathom";
  diagnose.program = absolutePath(flags.program);
  diagnose.arguments = options.arguments;
  diagnose.scratch = options.folder + "/afl/work/diagnose";
  return [diagnose](const campaign::Crash &crash, const std::atomic<bool> *stop) {
    return report::diagnose(crash, diagnose, stop);
  };
}

/// On a thread of its own: it loses the right to write outside of the folder, and with it whatever
/// it starts. Children die with the thread.
void runConfined(const std::function<void()> &work, const std::string &folder, Context &context) {
  native::Confined confined;
  std::thread([&] {
    confined = native::confineThread({.writable = {folder, "/tmp", "/var/tmp", "/dev/shm"}});
    work();
  }).join();
  if (confined.by == native::Confined::By::Nothing)
    context.log.warn("this machine allows neither read-only mounts nor Landlock: the program "
                     "could write wherever you can");
}

/// The inputs of --import, instead of a campaign.
campaign::CampaignStatus runImport(const campaign::FuzzVariant &variant,
                                   const campaign::CampaignOptions &options,
                                   const std::string &source,
                                   const campaign::CampaignEvents &events, Context &context) {
  campaign::ImportOptions import;
  import.folder = options.folder;
  import.source = source;
  import.arguments = options.arguments;
  import.unit = options.unit;
  import.testTime = options.testTime;
  import.testMemoryBytes = options.testMemoryBytes;
  import.diagnose = options.diagnose;
  std::optional<llvm::Expected<campaign::CampaignStatus>> result;
  runConfined(
      [&] { result.emplace(campaign::importInputs(variant, import, events, context.stop)); },
      options.folder, context);
  return orUsage(std::move(*result));
}

/// As a user would type it.
std::string shellWord(const std::string &text) {
  const bool isPlain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return isalnum(c) || strchr("/._-+=:,@%", c);
  });
  return isPlain ? text : report::shellQuote(text);
}

/// What the program and its inputs need in any campaign, as it was given: limits and samples are of
/// one campaign.
std::string keptOptions(const FuzzFlags &flags) {
  const FuzzFlags usual;
  std::string out;
  const auto add = [&](const char *option, const std::string &value) {
    out += fmt::format(" {} {}", option, shellWord(value));
  };
  if (!flags.input.empty()) add("--input", flags.input);
  for (const std::string &dictionary : flags.dictionaries) add("--dictionary", dictionary);
  for (const std::string &mutator : flags.mutators) add("--mutator", mutator);
  if (flags.onlyMutators) out += " --only-mutators";
  if (flags.noComparisonLog) out += " --no-comparison-log";
  if (flags.iterations != usual.iterations) add("--iterations", std::to_string(flags.iterations));
  if (flags.testTime != usual.testTime) add("--test-time", flags.testTime);
  if (flags.testMemory != usual.testMemory) add("--test-memory", flags.testMemory);
  if (flags.unit != usual.unit) add("--unit", flags.unit);
  if (flags.common.jobs != usual.common.jobs) add("--jobs", std::to_string(flags.common.jobs));
  return out;
}

/// Goes on from what this campaign found, with AddressSanitizer. Empty: this one had it.
std::string checkedCommand(const FuzzFlags &flags, const campaign::Sanitizers &sanitizers,
                           const Invocation &invocation) {
  if (sanitizers.address) return "";
  std::string folder = flags.common.output;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  std::string out = fmt::format("fathom fuzz {} --sanitize address{}", shellWord(flags.program),
                                sanitizers.undefined ? ",undefined" : "");
  out += keptOptions(flags);
  out += flags.import.empty() ? " --corpus " + shellWord(folder)
                              : " --import " + shellWord(flags.import);
  out += " -o " + shellWord(folder + "-checked");
  if (!invocation.arguments.empty()) out += " --";
  for (const std::string &argument : invocation.arguments) out += " " + shellWord(argument);
  return out;
}

int runFuzz(const FuzzFlags &flags, Context &context) {
  const auto began = std::chrono::steady_clock::now();
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  if (common.force && common.resume)
    throw UsageError("--force and --resume contradict each other: give one of them");
  campaign::PointChoice points = pointChoice(flags);
  checkStable(flags);
  checkNoRecord(flags);
  if (!flags.import.empty()) {
    checkImport(flags);
    orUsage(campaign::keptInputs(absolutePath(flags.import)));
  }
  campaign::CampaignOptions options = campaignOptions(flags, context.invocation);
  const run::Corpus corpus = orThrow(run::Corpus::open(flags.corpus));
  requireRegularPrograms({flags.program});
  options.diagnose = diagnosis(flags, options);
  if (!common.resume) orUsage(report::checkFolder(options.folder, common.force));
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  campaign::Sanitizers sanitizers;
  if (!flags.sanitize.empty() && !campaign::parseSanitizers(flags.sanitize, sanitizers))
    throw UsageError(fmt::format("--sanitize {}: expected address, undefined, or address,undefined",
                                 flags.sanitize));
  findAlarms(flags, points, context);
  campaign::FuzzVariant variant = orUsage(campaign::fuzzVariant(
      {flags.program}, load, variantTools(sanitizers.runtimeObject()), sanitizers, points));
  checkInput(flags, variant.isHarness);
  checkPoints(flags, variant);
  if (!flags.noComparisonLog && flags.import.empty())
    options.comparisons =
        orUsage(campaign::comparisonVariant({flags.program}, load, variantTools("compare.o")));
  context.log.verbose(
      fmt::format("{} {}", variant.fromCache ? "using" : "built", variant.executable));

  auto folder = orUsage(
      report::CampaignFolder::create(folderOptions(flags, context.invocation, options, variant)));
  context.catchInterrupts();
  Status status(/*enabled=*/!common.quiet);
  FuzzText texts(options.folder + "/campaign.db", began);
  std::string notStored;
  campaign::CampaignEvents events;
  events.onProgress = [&](const campaign::CampaignStatus &now) {
    // The estimate in it takes time, which nobody who asked for quiet wants to spend.
    if (!common.quiet) status.show(texts.progress(now, folder->findings()));
  };
  events.onCrash = [&](const campaign::Crash &crash) {
    if (llvm::Error e = folder->storeCrash(crash)) notStored = llvm::toString(std::move(e));
    return notStored.empty();
  };
  std::optional<Convergence> convergence;
  if (flags.untilStable) {
    convergence.emplace(variant.points, *flags.untilStable, options.folder + "/convergence.csv",
                        common.resume);
    events.statesEvery = Convergence::kStride;
    events.onStates = [&](const campaign::StateSamples &samples, uint64_t executions) {
      return convergence->add(samples, executions);
    };
  }
  campaign::CampaignStatus now;
  std::string howEnded, problem;
  bool hasNoSeed = false;
  if (!flags.import.empty()) {
    now = runImport(variant, options, absolutePath(flags.import), events, context);
    howEnded = context.stop ? "interrupted" : fmt::format("imported {}", flags.import);
  } else {
    llvm::Expected<std::string> seeds = corpus.inputs(options.folder + "/corpus");
    if (!seeds) {
      if (!common.resume) folder->discard();
      orThrow(seeds.takeError());
    }
    options.seeds = std::move(*seeds);
    llvm::Expected<campaign::Campaign> made = campaign::Campaign::create(variant, options);
    if (!made) {
      if (!common.resume) folder->discard();
      orUsage(made.takeError());
    }
    std::optional<llvm::Expected<campaign::CampaignEnd>> end;
    runConfined([&] { end.emplace(made->run(events, context.stop)); }, options.folder, context);
    now = made->status();
    if (*end) {
      howEnded = campaign::text(**end);
      hasNoSeed = **end == campaign::CampaignEnd::NoSeed;
    } else {
      howEnded = problem = llvm::toString(end->takeError());
    }
  }
  if (!notStored.empty()) problem = notStored;
  status.clear();
  if (!problem.empty() && now.executions == 0 && !common.resume)
    throw UsageError(problem); // the folder stays: afl-fuzz's own words are in it
  if (llvm::Error e = folder->finish(now, howEnded))
    throw InternalError(llvm::toString(std::move(e)));
  if (common.json)
    fputs(texts.json(now, folder->findings(), howEnded).c_str(), stdout);
  else if (!common.quiet)
    fputs(texts
              .summary(now, folder->findings(), howEnded, flags.program, common.output,
                       hasNoSeed ? "" : checkedCommand(flags, sanitizers, context.invocation))
              .c_str(),
          stdout);
  if (problem.empty() && convergence) problem = convergence->problem();
  if (!problem.empty()) throw InternalError(problem);
  if (hasNoSeed) throw UsageError(noSeedText(flags, folder->findings().size()));
  return common.failOnFindings && !folder->findings().empty() ? kFindings : kDone;
}

} // namespace

Run declareFuzz(CLI::App &app) {
  auto flags = std::make_shared<FuzzFlags>();
  app.footer(kFuzzFooter);
  app.add_option("PROGRAM", flags->program,
                 "an executable that fathom-cc linked, its .bc, or a C file")
      ->required();
  app.add_option("--input", flags->input,
                 "how the program gets its input: @@ (a file, named where @@ stands or as the last "
                 "argument) or stdin (default)")
      ->type_name("HOW");
  app.add_option(
         "--corpus", flags->corpus,
         "initial inputs: a folder of files, or a results folder of fathom explore or fathom fuzz; "
         "default: one short line")
      ->type_name("DIR");
  app.add_option("--import", flags->import,
                 "do not fuzz; run the inputs of an AFL++ output folder, or of any folder")
      ->type_name("DIR");
  app.add_option(
         "--unit", flags->unit,
         "length of a sampling unit: a time, or executions of the fuzzing stages (1000execs)")
      ->capture_default_str()
      ->type_name("LENGTH");
  app.add_option("--max-executions", flags->maxExecutions, "stop after N executions")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 52))
      ->type_name("N");
  app.add_option("--max-units", flags->maxUnits, "stop after N sampling units")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 32))
      ->type_name("N");
  app.add_option("--seed", flags->seed,
                 "seed of AFL++'s random choices (default: a new one each time)")
      ->type_name("N");
  app.add_option(
         "--iterations", flags->iterations,
         "inputs that one process gives to LLVMFuzzerTestOneInput before a new process starts")
      ->check(CLI::Range(1u, 1000000u))
      ->capture_default_str()
      ->type_name("N");
  app.add_option(
         "-x,--dictionary", flags->dictionaries,
         "words of the input format: a dictionary in AFL's form (lines name=\"value\"), or a "
         "folder with one word per file; DICT@N also takes words of levels 1 to N; may be "
         "given several times")
      ->type_name("DICT")
      ->expected(1)
      ->take_all();
  app.add_option("--mutator", flags->mutators,
                 "a library with AFL++'s custom mutator interface; may be given several times")
      ->type_name("LIB.so")
      ->expected(1)
      ->take_all();
  app.add_flag("--only-mutators", flags->onlyMutators, "do not use AFL++'s own mutations");
  app.add_option("--sanitize", flags->sanitize,
                 "fuzz a variant with checks: address (wrong accesses to memory, as "
                 "AddressSanitizer), undefined (signed overflow, shifts, indices), or both, "
                 "separated by a comma; executions are slower")
      ->type_name("WHAT");
  app.add_flag(
      "--no-comparison-log", flags->noComparisonLog,
      "do not use AFL++'s comparison log (which finds the input bytes that comparisons depend on)");
  app.add_option("--test-time", flags->testTime, "time limit of one execution")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--test-memory", flags->testMemory, "address space limit of one execution")
      ->capture_default_str()
      ->type_name("SIZE");
  app.add_flag("--no-record", flags->noRecord,
               "record nothing; use it only to measure the cost of recording");
  app.add_flag("--state-samples{all}", flags->stateSamples,
               "[=POINTS] count the states (values of integer variables) seen at these points, for "
               "fathom psp: assertions, branches, divisions, functions (entries and exits), all of "
               "these (the default), accesses (to memory), alarms (of fathom scan --assertions), "
               "paths (for fathom explore --search psp); several of them separated by commas");
  app.add_option("--until-stable", flags->untilStable,
                 "end the campaign when its samples no longer change the models of fathom psp: "
                 "when their Hellinger distance, every 5,000 executions, was below this three "
                 "times; 0 only records it (convergence.csv)")
      ->type_name("DISTANCE");
  flags->common.add(app, /*withOutput=*/true);
  app.get_option("--max-time")
      ->description(
          "fuzz for this time (90s, 10m, 2h), measured from the first execution; building and "
          "starting come before it, triage of the last crashes after it");
  withValues(app, "--input", "@@ or stdin");
  withValues(app, "--sanitize", "address, undefined");
  withValues(app, "--state-samples",
             "assertions, branches, divisions, functions, all, accesses, alarms, paths");
  return [flags](Context &context) { return runFuzz(*flags, context); };
}

} // namespace fathom::tool
