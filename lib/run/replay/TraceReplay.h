// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a native replay of a results folder needs on the trace variant of the explored program.
#ifndef FATHOM_RUN_TRACEREPLAY_H
#define FATHOM_RUN_TRACEREPLAY_H

#include "report/Replay.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace fathom::run {

/// A native run starts at main, and the tests of another function say nothing about it. A
/// UsageError.
llvm::Error refuseOtherEntry(const std::string &folder);

/// Results of one program say nothing about another. The program may have moved: its name decides.
/// A UsageError where it differs.
llvm::Error refuseOtherProgram(const std::string &folder, const std::string &program);

/// The program that was explored, as run.json has it. A UsageError: it says none, or several.
llvm::Expected<std::string> exploredProgram(const std::string &folder);

/// Builds the variant, or takes it from the cache, and sets what it is run with: its executable,
/// and the libraries of the exploration. The caller sets `options.layout` to that of what is
/// returned.
llvm::Expected<report::NativeVariant> prepareTrace(const std::string &folder,
                                                   const std::string &program,
                                                   report::ReplayOptions &options,
                                                   Session &session);

/// The variant with the sanitizers that a campaign had. Its own code has no trace: only how a run
/// ends is compared.
struct SanitizedVariant {
  std::string executable, sanitizers; ///< sanitizers: as --sanitize takes them
};
/// Absent: DIR is not of a campaign with --sanitize. Builds the variant, or takes it from the
/// cache, and sets what it is run with. A UsageError: it cannot be built.
llvm::Expected<std::optional<SanitizedVariant>> prepareSanitized(const std::string &folder,
                                                                 const std::string &program,
                                                                 report::ReplayOptions &options,
                                                                 Session &session);

} // namespace fathom::run
#endif
