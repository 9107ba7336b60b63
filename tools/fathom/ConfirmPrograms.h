// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs and libraries that reports may be about, one after the other: each is read, asked
// about the reports that have code in it, and freed.
#ifndef FATHOM_TOOLS_CONFIRMPROGRAMS_H
#define FATHOM_TOOLS_CONFIRMPROGRAMS_H

#include "ConfirmFlags.h"

#include "confirm/Batch.h"

#include <memory>

namespace fathom::tool {

struct ConfirmedProgram {
  std::string name;                ///< as users know it
  std::vector<std::string> inputs; ///< for the loader
  std::shared_ptr<void> folder;    ///< what was compiled goes with it
};

/// C files together are one program, every other operand is one of its own; or what
/// --compile-commands describes. Throws UsageError.
std::vector<ConfirmedProgram> programsOf(const ConfirmFlags &flags, Context &context);

/// The file of verdicts kept for this program with these options: named by a hash of the code, of
/// this executable and of everything that a verdict depends on. "": there is none (--no-cache).
std::string keptFile(const ConfirmedProgram &program, const ConfirmFlags &flags,
                     const Invocation &invocation);

/// Sources of reports that name one place only (JudgeOptions::sources). The value-flow graph is
/// built when it is asked for the first time, in at most a third of what is left then.
std::function<confirm::GuessedSources(const confirm::Defect &)>
flowSources(const ConfirmedProgram &program, const ConfirmFlags &flags,
            const confirm::Deadline &until, Context &context);

} // namespace fathom::tool
#endif
