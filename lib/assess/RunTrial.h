// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One trial, in this process: a campaign of fathom fuzz until there are as many units as planned,
// and what estimators say of it. Goes on where an earlier attempt was broken off, whatever broke
// it.
#ifndef FATHOM_ASSESS_RUNTRIAL_H
#define FATHOM_ASSESS_RUNTRIAL_H

#include "assess/Study.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <string>

namespace fathom::assess {

enum class TrialEnd {
  Done,
  AlreadyDone,
  Busy,       ///< another process is at it
  Interrupted ///< *stop; what was recorded is kept
};

/// \param fathom  path of our own executable.
/// Errors: the campaign cannot be run, with the last words of fathom fuzz (all are in the trial's
/// fuzz.log); the database of an earlier attempt cannot be opened.
llvm::Expected<TrialEnd> runTrial(const Study &study, size_t trial, const std::string &fathom,
                                  const std::atomic<bool> &stop);

} // namespace fathom::assess
#endif
