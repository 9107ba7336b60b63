// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom fuzz: flags in, text out. The driver is lib/run/fuzz/Fuzz.h.
#include "Command.h"
#include "OptionModel.h"

#include "campaign/Outlook.h"
#include "report/CampaignText.h"
#include "report/ReplayScript.h"
#include "run/fuzz/Fuzz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <optional>

namespace fathom::tool {

namespace {

struct FuzzFlags {
  CommonOptions common;
  std::string program, input, corpus, import, inbox, unit = "10s", testTime = "1s",
                                                     testMemory = "2G";
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

run::FuzzRequest requestOf(const FuzzFlags &flags, const Invocation &invocation) {
  const CommonOptions &common = flags.common;
  run::FuzzRequest out;
  out.program = flags.program;
  out.arguments = invocation.arguments;
  out.input = flags.input;
  out.folder = common.output;
  out.dismissed = common.dismissed;
  out.force = common.force, out.resume = common.resume;
  out.commandLine = invocation.all;
  out.corpus = flags.corpus;
  out.import = flags.import;
  if (!flags.inbox.empty()) out.inbox = absolutePath(flags.inbox);
  out.dictionaries = flags.dictionaries, out.mutators = flags.mutators;
  out.onlyMutators = flags.onlyMutators;
  out.jobs = common.jobs;
  out.iterations = flags.iterations;
  out.seed = flags.seed;
  out.maxTime = common.time();
  out.maxExecutions = flags.maxExecutions, out.maxUnits = flags.maxUnits;
  out.testTime = parseDuration("--test-time", flags.testTime);
  out.testTimeText = flags.testTime;
  out.testMemoryBytes = parseSize("--test-memory", flags.testMemory);
  out.record = !flags.noRecord, out.comparisonLog = !flags.noComparisonLog;
  out.statesText = flags.stateSamples;
  out.untilStable = flags.untilStable;
  out.showsProgress = !common.quiet;
  if (!common.maxMemory.empty())
    throw UsageError("--max-memory: not for campaigns; --test-memory bounds each execution");
  if (!campaign::parseUnitLength(flags.unit, out.unit))
    throw UsageError(fmt::format("--unit {}: expected a time of 100ms or more, or a number of "
                                 "executions, such as 10s or 1000execs",
                                 flags.unit));
  if (!flags.stateSamples.empty() && !campaign::parsePointChoice(flags.stateSamples, out.states))
    throw UsageError(fmt::format("--state-samples={}: expected assertions, branches, divisions, "
                                 "functions, accesses, alarms, paths, several of them "
                                 "separated by commas, or all",
                                 flags.stateSamples));
  if (!flags.sanitize.empty() && !campaign::parseSanitizers(flags.sanitize, out.sanitizers))
    throw UsageError(fmt::format("--sanitize {}: expected address, undefined, or address,undefined",
                                 flags.sanitize));
  return out;
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
  const run::FuzzRequest request = requestOf(flags, context.invocation);
  run::Session session = context.session();
  const run::FuzzedCampaign done = orThrow(run::fuzz(request, session));
  if (common.json || !common.quiet) {
    const campaign::Outlook outlook =
        campaign::lookAhead(done.database, done.status.coverage, /*final=*/true);
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began;
    const report::CampaignSummary summary{done.status,   outlook,
                                          done.findings, done.howEnded,
                                          all.count(),   {common.showsDismissed, common.ids}};
    const std::string checked = done.whyNotBegun.empty()
                                    ? checkedCommand(flags, request.sanitizers, context.invocation)
                                    : "";
    fputs(common.json
              ? report::campaignJson(summary).c_str()
              : report::campaignText(summary, flags.program, common.output, checked).c_str(),
          stdout);
  }
  if (!done.failure.empty()) throw InternalError(done.failure);
  if (!done.whyNotBegun.empty()) throw UsageError(done.whyNotBegun);
  return common.failOnFindings && report::countOpen(done.findings) ? kFindings : kDone;
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
  app.add_option("--inbox", flags->inbox,
                 "a folder in which others leave inputs while the campaign runs: files 000000, "
                 "000001, ..., each moved there complete")
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
  flags->common.addDismissals(app);
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
