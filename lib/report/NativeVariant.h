// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native trace variant of a program (program/Instrument.h), built when it is first needed and
// kept in a cache by content.
#ifndef FATHOM_REPORT_NATIVEVARIANT_H
#define FATHOM_REPORT_NATIVEVARIANT_H

#include "native/VariantCache.h"
#include "program/Instrument.h"

#include <string>
#include <vector>

namespace fathom::report {

struct NativeVariant {
  std::string executable;
  program::TraceLayout layout;
  bool fromCache = false;
};

/// Errors: what loadProgram says of the inputs; a symbol that neither the program nor the sysroot
/// has; no space.
llvm::Expected<NativeVariant> traceVariant(const std::vector<std::string> &inputs,
                                           const program::LoadOptions &load,
                                           const native::VariantTools &tools);

/// Text form of a layout, kept beside the executable.
std::string layoutText(const program::TraceLayout &layout);
bool parseLayout(const std::string &text, program::TraceLayout &layout);

} // namespace fathom::report
#endif
