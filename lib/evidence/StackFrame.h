// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_EVIDENCE_STACKFRAME_H
#define FATHOM_EVIDENCE_STACKFRAME_H

#include <cstdint>
#include <string>

namespace fathom::evidence {

/// A call that was active where something happened, as the engine, a crash or a sanitizer reports
/// it.
struct StackFrame {
  std::string function, file; ///< file as in the debug information; empty when unknown
  uint32_t line = 0, column = 0;
  bool own = true;            ///< the program's, not libc's
  bool isThinWrapper = false; ///< of a function such as `xmalloc`, which is never the place of a
                              ///< bug (program/ThinWrapper.h)
};

} // namespace fathom::evidence
#endif
