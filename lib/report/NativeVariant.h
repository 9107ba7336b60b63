// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native trace variant of a program (program/Instrument.h), built when it is first needed and
// kept in a cache by content.
#ifndef FATHOM_REPORT_NATIVEVARIANT_H
#define FATHOM_REPORT_NATIVEVARIANT_H

#include "program/Instrument.h"

#include <string>
#include <vector>

namespace fathom::report {

struct NativeTools {
  std::string linker;      ///< ld.lld
  std::string sysroot;     ///< build/sysroot
  std::string traceObject; ///< of runtime/native/trace.c
  std::string cache;       ///< folder; created
};

struct NativeVariant {
  std::string executable;
  program::TraceLayout layout;
  bool fromCache = false;
};

/// Errors: what loadProgram says of the inputs; a symbol that neither the program nor the sysroot
/// has; no space.
llvm::Expected<NativeVariant> traceVariant(const std::vector<std::string> &inputs,
                                           const program::LoadOptions &load,
                                           const NativeTools &tools);

/// $FATHOM_CACHE, or fathom/ in $XDG_CACHE_HOME or ~/.cache; /tmp/fathom-cache-UID when there is no
/// home.
std::string defaultCache();

/// Text form of a layout, kept beside the executable.
std::string layoutText(const program::TraceLayout &layout);
bool parseLayout(const std::string &text, program::TraceLayout &layout);

} // namespace fathom::report
#endif
