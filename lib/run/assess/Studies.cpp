// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/assess/Studies.h"

#include "assess/Plots.h"
#include "assess/Report.h"
#include "native/Process.h"
#include "report/Files.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run {

static constexpr const char *kParts[] = {"study.json", "programs", "trials", "results.json",
                                         "report.md",  "plots",    "slurm"};

/// What an earlier study left is replaced with --force; a folder with other things is not touched.
static llvm::Error clearFolder(const std::string &folder, bool force) {
  std::error_code ignored; // creating the folder says why it cannot be used
  if (!std::filesystem::exists(folder, ignored)) return llvm::Error::success();
  if (!std::filesystem::is_directory(folder, ignored))
    return usageError(fmt::format("-o {}: is a file; expected the name of a folder", folder));
  if (assess::Study::exists(folder) && !force)
    return usageError(folder + ": holds a study; continue it with --resume, or replace it with "
                               "--force");
  llvm::Expected<report::Directory> root = asUsage(report::Directory::openOrCreate(folder));
  if (!root) return root.takeError();
  for (const std::string &name : root->entries())
    if (std::find(std::begin(kParts), std::end(kParts), name) == std::end(kParts))
      return usageError(fmt::format("{}: contains {}, which is not part of a study: name another "
                                    "folder with -o",
                                    folder, name));
  for (const char *part : kParts)
    if (llvm::Error e = asUsage(root->remove(part))) return e;
  return llvm::Error::success();
}

static llvm::Error checkPrograms(const std::vector<assess::Request> &all) {
  if (all.empty())
    return usageError("a study needs programs: name some, or generate some with --synth N");
  for (const assess::Request &request : all) {
    if (!assess::isSubjectName(request.name))
      return usageError(fmt::format("program name '{}': expected letters, digits, '.', '_' and '-'",
                                    request.name));
    for (const assess::Request &other : all)
      if (&other != &request && other.name == request.name)
        return usageError(fmt::format("two programs are called {}; give one another name: "
                                      "NAME=PROGRAM",
                                      request.name));
    if (!request.knobs && !assess::isGenerated(request.program))
      if (llvm::Error e = requireRegularPrograms({request.program})) return e;
    if (request.knobs)
      if (std::string wrong = synth::validate(*request.knobs); !wrong.empty())
        return usageError(wrong);
  }
  return llvm::Error::success();
}

llvm::Expected<assess::Study> createStudy(const StudyRequest &request, Session &session) {
  const std::string &folder = request.folder;
  assess::Plan plan = request.plan;
  if (llvm::Error e = checkPrograms(request.programs)) return std::move(e);
  if (native::findProgram("afl-fuzz").empty())
    return usageError("afl-fuzz is not installed; Debian has it in the package afl++");
  if (llvm::Error e = clearFolder(folder, request.force)) return std::move(e);
  assess::SubjectTools tools;
  tools.fathomCc = Installation::get().fathomCc;
  llvm::Expected<native::VariantTools> variant = variantTools("fuzz.o");
  if (!variant) return variant.takeError();
  tools.variant = std::move(*variant);
  tools.testTime = request.testTime;
  for (const assess::Request &one : request.programs) {
    session.observer.progress(fmt::format("preparing {} ({} of {})", one.name,
                                          plan.subjects.size() + 1, request.programs.size()));
    auto subject = assess::prepare(one, folder + "/programs/" + one.name, plan.kind, tools,
                                   session.interruption.stop);
    if (!subject) { // leave nothing that looks like a study
      std::error_code ignored;
      std::filesystem::remove_all(folder + "/programs", ignored);
      std::filesystem::remove(folder, ignored); // when it is empty
      return asUsage(subject.takeError());
    }
    plan.subjects.push_back(std::move(*subject));
  }
  return asUsage(assess::Study::create(folder, std::move(plan)));
}

llvm::Expected<assess::Study> openStudy(const std::string &folder, uint32_t trials) {
  llvm::Expected<assess::Study> study = asUsage(assess::Study::open(folder));
  if (study && trials)
    if (llvm::Error e = asUsage(study->raiseTrials(trials))) return std::move(e);
  return study;
}

llvm::Expected<assess::TrialEnd> runOneTrial(const assess::Study &study, uint64_t trial,
                                             Session &session) {
  if (trial >= study.plan().trialCount())
    return usageError(
        fmt::format("--trial {}: expected 0 to {}", trial, study.plan().trialCount() - 1));
  session.interruption.begin();
  return assess::runTrial(study, trial, Installation::get().fathom, session.interruption.stop);
}

llvm::Expected<assess::SlurmJobs> submitStudy(const assess::Study &study,
                                              const std::string &sbatchOptions, unsigned jobs) {
  assess::SlurmOptions options;
  options.fathom = Installation::get().fathom;
  options.sbatch = native::findProgram("sbatch");
  if (options.sbatch.empty())
    return usageError("--cluster slurm: sbatch is not installed; Debian has it in the package "
                      "slurm-client");
  options.options = sbatchOptions;
  options.maxTasks = jobs;
  return asUsage(assess::submit(study, options));
}

static std::string timeText(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

assess::ScheduleResult runTrials(assess::Study &study, unsigned jobs,
                                 std::chrono::milliseconds time, Session &session) {
  return assess::runPending(
      study, {Installation::get().fathom, jobs, time},
      [&](const assess::ScheduleStatus &now) {
        session.observer.progress(fmt::format(
            "trials {} of {} done, {} running{}{}", now.done, now.total, now.running,
            now.failed ? fmt::format(", {} failed", now.failed) : "",
            now.secondsLeft ? fmt::format(", about {} left", timeText(*now.secondsLeft)) : ""));
      },
      session.interruption.stop);
}

template <class Plots>
static llvm::Error writeReport(const assess::Study &study, const std::string &results,
                               const std::string &markdown, const Plots &plots) {
  llvm::Expected<report::Directory> root = report::Directory::openOrCreate(study.folder());
  if (!root) return root.takeError();
  if (llvm::Error e = root->replace("results.json", results)) return e;
  if (llvm::Error e = root->replace("report.md", markdown)) return e;
  auto pictures = report::Directory::openOrCreate(study.folder() + "/plots");
  if (!pictures) return pictures.takeError();
  for (const auto &[name, svg] : plots)
    if (llvm::Error e = pictures->replace(name, svg)) return e;
  return llvm::Error::success();
}

llvm::Expected<StudyReport> reportStudy(const assess::Study &study, Session &session) {
  const assess::Plan &plan = study.plan();
  assess::ReportContext context{plan, 0, 0, {}};
  std::vector<assess::ProgramTrials> programs(plan.subjects.size());
  std::vector<uint64_t> beyond(plan.subjects.size());
  for (size_t trial = 0; trial < plan.trialCount(); ++trial) {
    if (!study.isDone(trial)) continue;
    session.observer.progress(fmt::format("reading trial {} of {}", trial + 1, plan.trialCount()));
    auto facts = asUsage(study.facts(trial));
    if (!facts) return facts.takeError();
    auto measured = asUsage(study.measured(trial));
    if (!measured) return measured.takeError();
    programs[trial % plan.subjects.size()].trials.push_back(std::move(*measured));
    beyond[trial % plan.subjects.size()] =
        std::max(beyond[trial % plan.subjects.size()], facts->beyondTruth);
    context.executions += facts->executions;
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
  // A study without trials has nothing to draw.
  const auto plots = programs.empty() ? decltype(assess::plots(programs, findings, plan))()
                                      : assess::plots(programs, findings, plan);
  StudyReport out{assess::resultsJson(findings, context), assess::summaryText(findings, context)};
  if (llvm::Error e = asUsage(
          writeReport(study, out.results, assess::reportMarkdown(findings, context), plots)))
    return std::move(e);
  session.observer.endProgress();
  return out;
}

} // namespace fathom::run
