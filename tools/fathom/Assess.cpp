// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom assess: the reliability study of estimators: its plan, its trials, its tables and plots.
#include "AssessPlan.h"
#include "Command.h"
#include "OptionModel.h"

#include "run/assess/Studies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <memory>

namespace fathom::tool {

namespace {

const char *const kAssessFooter =
    R"(PROGRAM is a program for fathom fuzz or a folder written by fathom synth --witnesses; NAME=PROGRAM gives it a name.
What follows "--" is passed to every PROGRAM; @@ stands for the input file. To give programs their own arguments or
inputs, list them in a file (--programs).
RQ1 compares estimates with the ground truth of generated programs. RQ2 asks of all programs whether estimates change
with the length of units. The results folder gets report.md, results.json, plots/ and trials/.

example:
  fathom assess --synth 6 --lines 2000 --trials 6 --budget 3m --unit 3s --jobs 2 -o study
  fathom assess --resume -o study                          continue after an interruption, even in the middle of trials
  fathom assess build/subjects/json-c/fuzz-json-c --trials 20 --budget 24h --unit 5m --unit-sizes 1,3,12 --cluster slurm -o study)";

assess::Study newStudy(const AssessFlags &flags, Context &context) {
  run::StudyRequest request;
  request.folder = flags.common.output;
  request.force = flags.common.force;
  request.plan = planOf(flags);
  request.programs = requests(flags, context.invocation);
  request.testTime = parseDuration("--test-time", flags.testTime);
  parseSize("--test-memory", flags.testMemory); // checked here; the plan keeps the text
  run::Session session = context.session();
  return orThrow(run::createStudy(request, session));
}

assess::Study existingStudy(const AssessFlags &flags) {
  for (const CLI::Option *option : flags.planOptions)
    if (option->count())
      throw UsageError(
          fmt::format("{}: {}/study.json already fixes the plan of this study; --resume "
                      "can only raise --trials",
                      option->get_name(), flags.common.output));
  return orThrow(
      run::openStudy(flags.common.output, flags.trialsOption->count() ? flags.trials : 0));
}

int runOneTrial(const AssessFlags &flags, Context &context) {
  const assess::Study study = orThrow(run::openStudy(flags.common.output));
  run::Session session = context.session();
  const assess::TrialEnd end =
      orThrow(run::runOneTrial(study, static_cast<uint64_t>(flags.trial), session));
  if (end == assess::TrialEnd::Interrupted) {
    // Ends by the signal, as if it had not been caught: the parent process sees that it was not the
    // trial's fault.
    std::signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
  }
  if (end == assess::TrialEnd::Busy) context.log.warn("another process is running this trial");
  return kDone;
}

int submitToSlurm(const AssessFlags &flags, const assess::Study &study) {
  const unsigned jobs = flags.common.jobs > 1 ? flags.common.jobs : 0;
  const assess::SlurmJobs submitted = orThrow(run::submitStudy(study, flags.sbatchOptions, jobs));
  if (!flags.common.quiet)
    fmt::print("submitted {} trials as job {}; job {} makes tables and plots when they are done\n"
               "results will be in {}/: report.md, results.json, plots/\n"
               "to run unfinished trials again: fathom assess --resume --cluster slurm -o {}\n",
               submitted.trials, fmt::join(submitted.arrays, ", "), submitted.report,
               study.folder(), study.folder());
  return kDone;
}

void checkFlags(const AssessFlags &flags) {
  const CommonOptions &common = flags.common;
  if (common.force && common.resume)
    throw UsageError("--force and --resume contradict each other: give one of them");
  if (!common.maxMemory.empty())
    throw UsageError("--max-memory: not for studies; --test-memory bounds each execution");
  if (common.jobs == 0 || common.jobs > kMaxTrialsAtOnce)
    throw UsageError(fmt::format("--jobs {}: expected 1 to {}", common.jobs, kMaxTrialsAtOnce));
  if (!flags.cluster.empty() && flags.cluster != "slurm")
    throw UsageError(fmt::format("--cluster {}: expected slurm", flags.cluster));
  if (!flags.sbatchOptions.empty() && flags.cluster.empty())
    throw UsageError("--sbatch-options: only with --cluster slurm");
}

int runAssess(AssessFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  checkFlags(flags);
  flags.common.output = absolutePath(common.output);
  if (flags.trial >= 0) return runOneTrial(flags, context);
  context.catchInterrupts();
  run::Session session = context.session();
  assess::Study study =
      common.resume || flags.report ? existingStudy(flags) : newStudy(flags, context);
  if (!flags.cluster.empty()) {
    context.log.endProgress();
    return submitToSlurm(flags, study);
  }

  assess::ScheduleResult result;
  if (!flags.report) result = run::runTrials(study, common.jobs, common.time(), session);
  const run::StudyReport report = orThrow(run::reportStudy(study, session));
  const std::string &text = common.json ? report.results : report.summary;
  if (common.json || !common.quiet) fputs(text.c_str(), stdout);
  for (const std::string &failure : result.failures) context.log.warn("failed: " + failure);
  const size_t left = study.pending().size();
  if (!common.json && !common.quiet) {
    fmt::print("\nin {}: report.md, results.json, plots/\n", study.folder());
    if (left)
      fmt::print("{} trials are not done{}: continue with fathom assess --resume -o {}\n", left,
                 result.end == assess::ScheduleEnd::MaxTime ? ": time budget spent (--max-time)"
                 : result.end == assess::ScheduleEnd::Interrupted ? ": interrupted"
                 : result.busy ? ": other processes are running them"
                               : "",
                 study.folder());
  }
  if (!result.failures.empty())
    throw InternalError(
        fmt::format("{} trials failed; the results do not include them", result.failures.size()));
  return kDone;
}

} // namespace

Run declareAssess(CLI::App &app) {
  auto flags = std::make_shared<AssessFlags>();
  app.footer(kAssessFooter);
  auto plan = [&](CLI::Option *option) {
    flags->planOptions.push_back(option);
    return option;
  };
  plan(app.add_option("PROGRAM", flags->programs,
                      "programs for fathom fuzz, or folders written by fathom synth"));
  plan(app.add_option("--programs", flags->programsFile,
                      "a JSON file of further programs, each with its own arguments and inputs"))
      ->type_name("FILE");
  plan(
      app.add_option("--synth", flags->synth, "generate N programs, with the options listed below"))
      ->check(CLI::Range(1u, 100000u))
      ->type_name("N");
  flags->trialsOption = app.add_option("--trials", flags->trials, "number of campaigns per program")
                            ->check(CLI::Range(1u, 100000u))
                            ->capture_default_str()
                            ->type_name("K");
  plan(app.add_option("--budget", flags->budget, "budget of one trial: a time, or executions"))
      ->capture_default_str()
      ->type_name("TIME");
  plan(app.add_option("--unit", flags->unit,
                      "length of a sampling unit: a time, or executions (1000execs)"))
      ->capture_default_str()
      ->type_name("LENGTH");
  plan(app.add_option("--unit-sizes", flags->sizes,
                      "RQ2: lengths of joined units to compare, in units (default 1,2,4)"))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N[,N...]");
  plan(app.add_option("--level", flags->levels,
                      "confidence levels; the first decides the verdicts (default 0.9,0.95)"))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("P[,P...]");
  plan(app.add_option("--points", flags->points, "number of points in time at which to estimate"))
      ->check(CLI::Range(1u, 10000u))
      ->capture_default_str()
      ->type_name("N");
  plan(app.add_option("--replicates", flags->replicates,
                      "bootstrap resamples for the intervals of UNPMLE and PNPMLE"))
      ->check(CLI::Range(0u, 100000u))
      ->capture_default_str()
      ->type_name("N");
  plan(app.add_option("--of", flags->of,
                      "what to count: branch-sides (default), blocks or statements"))
      ->check(CLI::IsMember(std::set<std::string>(std::begin(campaign::kElementKinds),
                                                  std::end(campaign::kElementKinds))))
      ->type_name("KIND");
  plan(app.add_option("--input", flags->input,
                      "how each PROGRAM gets its input: @@ or stdin (see fathom fuzz)"))
      ->type_name("HOW");
  plan(app.add_option("--corpus", flags->corpus,
                      "initial inputs for each PROGRAM (generated programs bring their own)"))
      ->type_name("DIR");
  plan(app.add_option("--seed", flags->seed,
                      "seed of the first trial and of the first generated program"))
      ->check(CLI::Range(uint64_t(0), uint64_t(1) << 52))
      ->capture_default_str()
      ->type_name("N");
  plan(app.add_option("--test-time", flags->testTime, "time limit of one execution"))
      ->capture_default_str()
      ->type_name("TIME");
  plan(app.add_option("--test-memory", flags->testMemory, "address space limit of one execution"))
      ->capture_default_str()
      ->type_name("SIZE");
  plan(app.add_flag("--keep-queues", flags->keepQueues,
                    "keep the AFL++ folders of finished trials, not only their coverage"));
  app.add_flag("--report", flags->report,
               "run no trial; make tables and plots from the finished ones");
  app.add_option("--cluster", flags->cluster, "submit the trials to a cluster: slurm")
      ->type_name("NAME");
  app.add_option("--sbatch-options", flags->sbatchOptions,
                 "further options for sbatch: \"--partition=long --mem=4G\"")
      ->type_name("TEXT");
  app.add_option("--trial", flags->trial, "run only trial I, counted from 0 (for clusters)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("I");
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  if (std::string(flag) != "--seed")                                                               \
    plan(app.add_option(flag, flags->knobs.field, help))                                           \
        ->capture_default_str()                                                                    \
        ->group("Generated programs (--synth)")                                                    \
        ->type_name(std::is_same_v<type, double> ? "SHARE" : "N");
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  flags->common.add(app, /*withOutput=*/true);
  withValues(app, "--input", "@@ or stdin");
  withValues(app, "--cluster", "slurm");
  return [flags](Context &context) { return runAssess(*flags, context); };
}

} // namespace fathom::tool
