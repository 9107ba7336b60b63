// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: a verdict for each report of an analyser.
#ifndef FATHOM_RUN_CONFIRM_H
#define FATHOM_RUN_CONFIRM_H

#include "confirm/Batch.h"
#include "run/confirm/ConfirmRequest.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace fathom::run {

struct Confirmation {
  std::unique_ptr<confirm::Batch> batch; ///< the reports and their verdicts
  double seconds = 0;
};

/// Judges the reports of all programs, one program after the other. Must be called while the
/// process has one thread. A UsageError: a program or reports cannot be read, or options do not fit
/// them.
llvm::Expected<Confirmation> confirmReports(const ConfirmRequest &request, Session &session);

} // namespace fathom::run
#endif
