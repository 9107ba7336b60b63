// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study's pending trials as job arrays of Slurm, one task per trial, and one job after them that
// makes tables and plots. The study's folder has to be on a file system that all machines see, and
// Fathom at the same path everywhere.
#ifndef FATHOM_ASSESS_SLURM_H
#define FATHOM_ASSESS_SLURM_H

#include "assess/Study.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::assess {

struct SlurmOptions {
  std::string fathom;           ///< path of our own executable
  std::string sbatch;           ///< path of sbatch
  unsigned maxTasks = 0;        ///< that run at a time; 0: no limit of ours
  std::string options;          ///< more options of sbatch, as for a shell: "--partition=long"
  uint64_t memoryMegabytes = 0; ///< of a task; 0: Slurm's default
};

/// The job numbers of one submission.
struct SlurmJobs {
  size_t trials = 0;
  std::vector<std::string> arrays;
  std::string report;
};

/// The script of an array: task i runs the trial in line first + i (from 1) of the list.
std::string slurmScript(const Study &study, const SlurmOptions &options, const std::string &list);
/// hours:minutes:seconds for a trial: its budget, a tenth more, and ten minutes for the estimates.
std::string slurmTime(const Plan &plan);

/// Writes slurm/ in the study's folder and submits. Trials that are done are left out.
/// Errors: no trial is pending; files that cannot be written; sbatch fails, with its own message.
llvm::Expected<SlurmJobs> submit(const Study &study, const SlurmOptions &options);

} // namespace fathom::assess
#endif
