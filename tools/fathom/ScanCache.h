// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom scan` printed of a program, by the hash of its code, of what was asked, and of this
// executable: a second run of an unchanged program prints it again.
#ifndef FATHOM_TOOLS_SCANCACHE_H
#define FATHOM_TOOLS_SCANCACHE_H

#include "ScanFlags.h"

namespace fathom::tool {

/// Takes what goes to stdout until its end, and passes it on then.
class OutputCapture {
public:
  OutputCapture(); ///< throws InternalError where there is no room for a temporary file
  ~OutputCapture();
  OutputCapture(const OutputCapture &) = delete;
  /// What was printed so far; from here on stdout is what it was.
  std::string finish();

private:
  int stdout_ = -1, file_ = -1;
};

/// Runs `scan` and returns its exit status, or answers for it. Its flags name what was compiled
/// where `flags` names sources. Only complete results are kept: it sets isPartial for others.
/// Throws what `scan` throws.
using Scan = std::function<int(const ScanFlags &flags, bool &isPartial)>;
int scanCached(const ScanFlags &flags, Context &context, const Scan &scan);

} // namespace fathom::tool
#endif
