// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom assess: the reliability study of estimators: its plan, its trials, its tables and plots.
#include "AssessPlan.h"
#include "Command.h"
#include "OptionModel.h"
#include "Status.h"

#include "assess/Plots.h"
#include "assess/Report.h"
#include "assess/RunTrial.h"
#include "assess/Schedule.h"
#include "assess/Slurm.h"
#include "assess/Study.h"
#include "assess/Subjects.h"
#include "native/Process.h"
#include "report/Files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <filesystem>
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

std::string self() { return Installation::get().bin + "/fathom"; }

// ---- the study
// --------------------------------------------------------------------------------------------------

constexpr const char *kParts[] = {"study.json", "programs", "trials", "results.json",
                                  "report.md",  "plots",    "slurm"};

/// What an earlier study left is replaced with --force; a folder with other things is not touched.
void clearFolder(const std::string &folder, bool force) {
  if (!std::filesystem::exists(folder)) return;
  if (!std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("-o {}: is a file; expected the name of a folder", folder));
  if (assess::Study::exists(folder) && !force)
    throw UsageError(folder + ": holds a study; continue it with --resume, or replace it with "
                              "--force");
  report::Directory root = orUsage(report::Directory::openOrCreate(folder));
  for (const std::string &name : root.entries())
    if (std::find(std::begin(kParts), std::end(kParts), name) == std::end(kParts))
      throw UsageError(fmt::format("{}: contains {}, which is not part of a study: name another "
                                   "folder with -o",
                                   folder, name));
  for (const char *part : kParts) orUsage(root.remove(part));
}

assess::Study newStudy(const AssessFlags &flags, Context &context, Status &status) {
  assess::Plan plan = planOf(flags);
  std::vector<assess::Request> all = requests(flags, context.invocation);
  if (all.empty())
    throw UsageError("a study needs programs: name some, or generate some with --synth N");
  for (const assess::Request &request : all) {
    if (!assess::isSubjectName(request.name))
      throw UsageError(fmt::format("program name '{}': expected letters, digits, '.', '_' and '-'",
                                   request.name));
    for (const assess::Request &other : all)
      if (&other != &request && other.name == request.name)
        throw UsageError(fmt::format("two programs are called {}; give one another name: "
                                     "NAME=PROGRAM",
                                     request.name));
    if (!request.knobs && !assess::isGenerated(request.program))
      requireRegularPrograms({request.program});
    if (request.knobs)
      if (std::string wrong = synth::validate(*request.knobs); !wrong.empty())
        throw UsageError(wrong);
  }
  if (native::findProgram("afl-fuzz").empty())
    throw UsageError("afl-fuzz is not installed; Debian has it in the package afl++");
  clearFolder(flags.common.output, flags.common.force);
  assess::SubjectTools tools;
  tools.fathomCc = Installation::get().fathomCc;
  tools.variant = variantTools("fuzz.o");
  tools.testTime = parseDuration("--test-time", flags.testTime);
  parseSize("--test-memory", flags.testMemory);
  for (const assess::Request &request : all) {
    status.show(
        fmt::format("preparing {} ({} of {})", request.name, plan.subjects.size() + 1, all.size()));
    auto subject = assess::prepare(request, flags.common.output + "/programs/" + request.name,
                                   plan.kind, tools, context.stop);
    if (!subject) { // leave nothing that looks like a study
      std::error_code ignored;
      std::filesystem::remove_all(flags.common.output + "/programs", ignored);
      std::filesystem::remove(flags.common.output, ignored); // when it is empty
      orUsage(subject.takeError());
    }
    plan.subjects.push_back(std::move(*subject));
  }
  return orUsage(assess::Study::create(flags.common.output, std::move(plan)));
}

assess::Study existingStudy(const AssessFlags &flags) {
  for (const CLI::Option *option : flags.planOptions)
    if (option->count())
      throw UsageError(
          fmt::format("{}: {}/study.json already fixes the plan of this study; --resume "
                      "can only raise --trials",
                      option->get_name(), flags.common.output));
  assess::Study study = orUsage(assess::Study::open(flags.common.output));
  if (flags.trialsOption->count()) orUsage(study.raiseTrials(flags.trials));
  return study;
}

// ---- what comes of it
// --------------------------------------------------------------------------------------------------

/// Reads what is done, writes tables and plots; returns what to print.
std::string makeReport(const assess::Study &study, bool json, Status &status) {
  const assess::Plan &plan = study.plan();
  assess::ReportContext context{plan, 0, 0, {}};
  std::vector<assess::ProgramTrials> programs(plan.subjects.size());
  std::vector<uint64_t> beyond(plan.subjects.size());
  for (size_t trial = 0; trial < plan.trialCount(); ++trial) {
    if (!study.isDone(trial)) continue;
    status.show(fmt::format("reading trial {} of {}", trial + 1, plan.trialCount()));
    assess::TrialFacts facts = orUsage(study.facts(trial));
    programs[trial % plan.subjects.size()].trials.push_back(orUsage(study.measured(trial)));
    beyond[trial % plan.subjects.size()] =
        std::max(beyond[trial % plan.subjects.size()], facts.beyondTruth);
    context.executions += facts.executions;
    ++context.done;
  }
  for (size_t i = 0; i < programs.size(); ++i) {
    programs[i].name = plan.subjects[i].name;
    programs[i].truth = plan.subjects[i].truth;
    if (beyond[i])
      context.contradictions.push_back(
          fmt::format("{}: trials covered {} {} whose ground truth says unreachable; disregard all "
                      "results of this program",
                      programs[i].name, beyond[i], campaign::kindNoun(plan.kind)));
  }
  std::erase_if(programs, [](const assess::ProgramTrials &p) { return p.trials.empty(); });
  assess::Findings findings = assess::judge(programs, plan.measure);
  report::Directory root = orUsage(report::Directory::openOrCreate(study.folder()));
  const std::string results = assess::resultsJson(findings, context);
  orUsage(root.replace("results.json", results));
  orUsage(root.replace("report.md", assess::reportMarkdown(findings, context)));
  report::Directory pictures = orUsage(report::Directory::openOrCreate(study.folder() + "/plots"));
  if (!programs.empty())
    for (const auto &[name, svg] : assess::plots(programs, findings, plan))
      orUsage(pictures.replace(name, svg));
  return json ? results : assess::summaryText(findings, context);
}

std::string timeText(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

int runOneTrial(const AssessFlags &flags, Context &context) {
  assess::Study study = orUsage(assess::Study::open(flags.common.output));
  if (static_cast<uint64_t>(flags.trial) >= study.plan().trialCount())
    throw UsageError(
        fmt::format("--trial {}: expected 0 to {}", flags.trial, study.plan().trialCount() - 1));
  context.catchInterrupts();
  auto end = assess::runTrial(study, static_cast<size_t>(flags.trial), self(), context.stop);
  if (!end) throw InternalError(llvm::toString(end.takeError()));
  if (*end == assess::TrialEnd::Interrupted) {
    // As if it had not been caught: whoever started this sees that it was not the trial's fault.
    std::signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
  }
  if (*end == assess::TrialEnd::Busy) context.log.warn("another process is running this trial");
  return kDone;
}

int submitToSlurm(const AssessFlags &flags, const assess::Study &study) {
  assess::SlurmOptions options;
  options.fathom = self();
  options.sbatch = native::findProgram("sbatch");
  if (options.sbatch.empty())
    throw UsageError("--cluster slurm: sbatch is not installed; Debian has it in the package "
                     "slurm-client");
  options.options = flags.sbatchOptions;
  options.jobs = flags.common.jobs > 1 ? flags.common.jobs : 0;
  assess::SlurmJobs jobs = orUsage(assess::submit(study, options));
  if (!flags.common.quiet)
    fmt::print("submitted {} trials as job {}; job {} makes tables and plots when they are done\n"
               "results will be in {}/: report.md, results.json, plots/\n"
               "to run unfinished trials again: fathom assess --resume --cluster slurm -o {}\n",
               jobs.trials, fmt::join(jobs.arrays, ", "), jobs.report, study.folder(),
               study.folder());
  return kDone;
}

void checkFlags(const AssessFlags &flags) {
  const CommonOptions &common = flags.common;
  if (common.force && common.resume)
    throw UsageError("--force and --resume contradict each other: give one of them");
  if (!common.maxMemory.empty())
    throw UsageError("--max-memory: not for studies; --test-memory bounds each execution");
  if (common.jobs == 0 || common.jobs > 1024)
    throw UsageError(fmt::format("--jobs {}: expected 1 to 1024", common.jobs));
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
  Status status(/*enabled=*/!common.quiet);
  assess::Study study =
      common.resume || flags.report ? existingStudy(flags) : newStudy(flags, context, status);
  if (!flags.cluster.empty()) return submitToSlurm(flags, study);

  assess::ScheduleResult result;
  if (!flags.report) {
    assess::ScheduleOptions options{self(), common.jobs, common.time()};
    result = assess::runPending(
        study, options,
        [&](const assess::ScheduleStatus &now) {
          status.show(fmt::format(
              "trials {} of {} done, {} running{}{}", now.done, now.total, now.running,
              now.failed ? fmt::format(", {} failed", now.failed) : "",
              now.secondsLeft ? fmt::format(", about {} left", timeText(*now.secondsLeft)) : ""));
        },
        context.stop);
  }
  std::string text = makeReport(study, common.json, status);
  status.clear();
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
