// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that reports are about, with what the pointer analysis says of its calls.
#ifndef FATHOM_RUN_ANALYSEDPROGRAM_H
#define FATHOM_RUN_ANALYSEDPROGRAM_H

#include "confirm/CallEffects.h"
#include "confirm/Rounds.h"
#include "program/Code.h"
#include "run/confirm/ConfirmRequest.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

namespace fathom::run {

struct AnalysedProgram {
  program::Program program;
  /// Which calls a search may skip. Empty if none may be (an option), or if the analysis was cut:
  /// then every call is executed.
  confirm::CallEffects effects;
  bool isCut = false; ///< the analysis did not end in its time
};
/// The pointer analysis gets half of the time that is left. A UsageError: the program cannot be
/// read.
llvm::Expected<AnalysedProgram> loadAnalysed(const std::vector<std::string> &inputs,
                                             const ConfirmRequest &request,
                                             const confirm::Deadline &until, Session &session);

} // namespace fathom::run
#endif
