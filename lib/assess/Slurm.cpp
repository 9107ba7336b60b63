// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Slurm.h"

#include "native/Sbatch.h"
#include "report/Files.h"
#include "support/TextError.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace fathom::assess {

using native::shellQuoted;

std::string slurmTime(const Plan &plan) {
  // Units of executions take as long as they take: a day, and --resume for what is not done then.
  const double budget = plan.unit.executions ? 86400 : plan.trialSeconds();
  const auto seconds = static_cast<uint64_t>(std::ceil(1.1 * budget + 600));
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string slurmScript(const Study &study, const SlurmOptions &options, const std::string &list) {
  std::string out = "#!/bin/sh\n# Written by fathom assess: one task runs one trial.\n";
  auto option = [&](const std::string &text) { out += "#SBATCH " + text + "\n"; };
  option("--job-name=fathom-trial");
  option("--ntasks=1 --cpus-per-task=1");
  option("--time=" + slurmTime(study.plan()));
  if (options.memoryMegabytes) option(fmt::format("--mem={}M", options.memoryMegabytes));
  // Before a time limit kills, the campaign is asked to end: it goes on another time.
  option("--signal=B:TERM@60");
  out += fmt::format("trial=$(sed -n \"$(($1 + SLURM_ARRAY_TASK_ID))p\" {})\n", shellQuoted(list));
  out += fmt::format("exec {} assess -o {} -q --trial \"$trial\"\n", shellQuoted(options.fathom),
                     shellQuoted(study.folder()));
  return out;
}

static llvm::Expected<std::string> sbatch(const SlurmOptions &options,
                                          const std::vector<std::string> &arguments) {
  return native::submit({options.sbatch, options.options, arguments, {}});
}

llvm::Expected<SlurmJobs> submit(const Study &study, const SlurmOptions &options) {
  const std::vector<size_t> pending = study.pending();
  if (pending.empty()) return textError("every trial is done: nothing to submit");
  auto folder = report::Directory::openOrCreate(study.folder() + "/slurm");
  if (!folder) return folder.takeError();
  // The list is never changed under tasks that are waiting: each submission has its own.
  const std::string stamp = report::utcNow();
  const std::string listName = "pending-" + stamp, scriptName = "trials-" + stamp + ".sh";
  std::string list;
  for (size_t trial : pending) list += std::to_string(trial) + "\n";
  if (auto e = folder->replace(listName, list)) return std::move(e);
  if (auto e = folder->write(scriptName,
                             slurmScript(study, options, folder->path() + "/" + listName), true))
    return std::move(e);
  if (auto e = folder->write("report.sh",
                             fmt::format("#!/bin/sh\n# Written by fathom assess: tables and plots "
                                         "of the trials that are done.\n#SBATCH "
                                         "--job-name=fathom-report\nexec {} assess -o {} -q "
                                         "--report\n",
                                         shellQuoted(options.fathom), shellQuoted(study.folder())),
                             true))
    return std::move(e);
  SlurmJobs jobs;
  jobs.trials = pending.size();
  for (size_t first = 0; first < pending.size(); first += native::kSlurmArray) {
    const size_t count = std::min(native::kSlurmArray, pending.size() - first);
    std::string tasks = fmt::format("--array=1-{}", count);
    if (options.maxTasks) tasks += fmt::format("%{}", options.maxTasks);
    auto job = sbatch(options, {tasks, fmt::format("--output={}/%A_%a.log", folder->path()),
                                folder->path() + "/" + scriptName, std::to_string(first)});
    if (!job) return job.takeError();
    jobs.arrays.push_back(*job);
  }
  auto report =
      sbatch(options, {fmt::format("--dependency=afterany:{}", fmt::join(jobs.arrays, ":")),
                       fmt::format("--output={}/report.log", folder->path()),
                       folder->path() + "/report.sh"});
  if (!report) return report.takeError();
  jobs.report = *report;
  return jobs;
}

} // namespace fathom::assess
