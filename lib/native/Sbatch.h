// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs of Slurm, by its own commands.
#ifndef FATHOM_NATIVE_SBATCH_H
#define FATHOM_NATIVE_SBATCH_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::native {

struct Submission {
  std::string sbatch;                   ///< its path
  std::string options;                  ///< more of its options, as for a shell
  std::vector<std::string> arguments;   ///< after these
  std::vector<std::string> environment; ///< NAME=VALUE, with ours
};

/// Indices of an array end below Slurm's MaxArraySize, 1001 unless configured otherwise.
inline constexpr size_t kSlurmArray = 1000;

/// As one word for a shell.
std::string shellQuoted(const std::string &text);
/// The number of the job. Errors: sbatch fails, with its own message.
llvm::Expected<std::string> submit(const Submission &submission);
/// Ends jobs, those that have not begun, too. Errors: scancel fails, with its own message.
llvm::Error cancel(const std::string &scancel, const std::vector<std::string> &jobs);

} // namespace fathom::native
#endif
