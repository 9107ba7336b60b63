// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs and libraries that reports may be about, one after the other: each is read, asked
// about the reports that have code in it, and freed.
#ifndef FATHOM_RUN_CONFIRMPROGRAMS_H
#define FATHOM_RUN_CONFIRMPROGRAMS_H

#include "confirm/Batch.h"
#include "run/confirm/ConfirmRequest.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace fathom::run {

struct ConfirmedProgram {
  std::string name;                ///< as users know it
  std::vector<std::string> inputs; ///< for the loader
  std::shared_ptr<void> folder;    ///< owns the folder of what was compiled, and deletes it
};

/// C files together are one program, every other operand is one of its own; or what
/// the compilation database describes. A UsageError where there is none.
llvm::Expected<std::vector<ConfirmedProgram>> programsOf(const ConfirmRequest &request,
                                                         Session &session);

/// The file of verdicts kept for this program with these options: named by a hash of the code, of
/// this executable and of everything that a verdict depends on. "": there is none (--no-cache).
std::string keptFile(const ConfirmedProgram &program, const ConfirmRequest &request);

/// Sources of reports that name one place only (JudgeOptions::sources). The value-flow graph is
/// built when it is asked for the first time, in at most a third of what is left then.
std::function<confirm::GuessedSources(const confirm::Defect &)>
flowSources(const ConfirmedProgram &program, const Limits &limits, const confirm::Deadline &until,
            Session &session);

/// The time left until `until`, divided by `parts`: at least 1 ms. 0 if `until` has no bound.
std::chrono::milliseconds partOf(const confirm::Deadline &until, int parts);

} // namespace fathom::run
#endif
