// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom run --since OLD: begins with the inputs of an earlier run, looks first at what has changed
// since, and keeps the verdicts that still hold.
//
// A verdict rests on the whole program: on callers, on what is stored in variables, on the
// addresses of objects. So verdicts are taken over where the code is the same, bit by bit, and was
// judged by the same build of Fathom in the same way (keptFile, run/confirm/ConfirmPrograms.h);
// otherwise all reports are judged again, the changed functions' first, along the inputs that
// confirmed reports before.
#ifndef FATHOM_RUN_ALL_SINCE_H
#define FATHOM_RUN_ALL_SINCE_H

#include "run/all/FunctionCode.h"
#include "run/all/RunAll.h"

#include <functional>

namespace fathom::confirm {
struct Defect;
} // namespace fathom::confirm

namespace fathom::run {

struct ConfirmRequest;

struct Since {
  std::string folder;                ///< of the earlier run, absolute
  uint64_t inputs = 0;               ///< that were taken over
  bool knowsFunctions = false;       ///< the earlier run has functions.json
  size_t functions = 0;              ///< of the program now
  std::vector<FunctionCode> changed; ///< of these
  std::set<std::string> hashesBefore{};
};

/// A UsageError: `request.since` is no results folder of fathom run, or of another program, or the
/// folder that is written now.
llvm::Error checkSince(const RunRequest &request);

/// Writes the inputs of the earlier run, and those of `request.corpus`, each once, into
/// FOLDER/since, unless that is there (a resumed run). Of an earlier run with a suite, these are
/// its inputs and those of its bugs. `request.corpus` becomes that folder, if there is an input.
llvm::Expected<Since> prepareSince(RunRequest &request, const report::Directory &root,
                                   const std::vector<FunctionCode> &functions);

/// One line about what has changed.
std::string sinceText(const Since &since);
/// For --search: the changed functions as targets; "": none.
std::string targetsOf(const Since &since);
/// Is the code around the report's place new?
std::function<bool(const confirm::Defect &)> changedPlaces(const Since &since);

/// Verdicts of `since` (null: there is none) go to where confirm keeps them, if they are about this
/// program; otherwise its inputs become seeds of `request`. Returns the name under which verdicts
/// are kept in results; "": nothing can be kept.
std::string takeVerdicts(const Since *since, ConfirmRequest &request);
/// Copies what confirm has kept to FOLDER/verdicts/NAME. Nothing, if `request` has seeds.
void keepVerdicts(const std::string &folder, const std::string &name,
                  const ConfirmRequest &request);

} // namespace fathom::run
#endif
