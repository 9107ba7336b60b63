// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a native replay of a results folder needs on the trace variant of the explored program.
#ifndef FATHOM_TOOLS_TRACEREPLAY_H
#define FATHOM_TOOLS_TRACEREPLAY_H

#include "Command.h"

#include "report/Replay.h"

#include <optional>
#include <string>

namespace fathom::tool {

/// A native run starts at main, and the tests of another function say nothing about it. Throws
/// UsageError.
void refuseOtherEntry(const std::string &folder);

/// Results of one program say nothing about another. The program may have moved: its name decides.
/// Throws UsageError.
void refuseOtherProgram(const std::string &folder, const std::string &program);

/// The program that was explored, as run.json has it. Throws UsageError: it says none, or several.
std::string exploredProgram(const std::string &folder);

/// Builds the variant, or takes it from the cache, and sets what it is run with: its executable,
/// and the libraries of the exploration. The caller sets `options.layout` to that of what is
/// returned.
report::NativeVariant prepareTrace(const std::string &folder, const std::string &program,
                                   report::ReplayOptions &options, Log &log);

/// The variant with the sanitizers that a campaign had. Its own code has no trace: only how a run
/// ends is compared.
struct SanitizedVariant {
  std::string executable, sanitizers; ///< sanitizers: as --sanitize takes them
};
/// Absent: DIR is not of a campaign with --sanitize. Builds the variant, or takes it from the
/// cache, and sets what it is run with. Throws UsageError: it cannot be built.
std::optional<SanitizedVariant> prepareSanitized(const std::string &folder,
                                                 const std::string &program,
                                                 report::ReplayOptions &options, Log &log);

} // namespace fathom::tool
#endif
