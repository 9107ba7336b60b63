// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The active calls of a program that crashed under ptrace, with their places in the source.
#ifndef FATHOM_REPORT_CRASHCALLS_H
#define FATHOM_REPORT_CRASHCALLS_H

#include "explore/Results.h"
#include "native/TracedRun.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::report {

class CrashCalls {
public:
  CrashCalls();
  CrashCalls(CrashCalls &&) noexcept;
  ~CrashCalls();

  /// Innermost first, inlined calls each on its own, as far as the files have unwind tables
  /// (.eh_frame). A call without debug information has line 0. Code where the process has none, as
  /// after a call through a null pointer, is left out. Cost: a large executable's tables are read
  /// once, in some tenths of a second.
  std::vector<evidence::StackFrame> of(const native::CrashState &crash);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fathom::report
#endif
