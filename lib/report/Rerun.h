// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exploration once more, in a process of its own: with the options of its run.json.
#ifndef FATHOM_REPORT_RERUN_H
#define FATHOM_REPORT_RERUN_H

#include "native/Process.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fathom::report {

struct Rerun {
  /// `fathom explore` with the program and the options of the run that say what a path is. To add:
  /// what to do with it, then "--" and `arguments`.
  native::Command command;
  std::vector<std::string> arguments; ///< of the program
};

/// \param run       run.json
/// \param programs  another build; empty: those of the run
/// \param fathom    our own executable
/// Errors: run.json does not say enough.
llvm::Expected<Rerun> rerunOf(const llvm::json::Object &run,
                              const std::vector<std::string> &programs, const std::string &fathom);

} // namespace fathom::report
#endif
