// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where a program without our instrumentation crashes. The program runs under ptrace; when
// the signal comes, the registers and the stack are copied, from which its active calls can be
// found.
#ifndef FATHOM_NATIVE_TRACEDRUN_H
#define FATHOM_NATIVE_TRACEDRUN_H

#include "native/Process.h"

#include <array>
#include <optional>

namespace fathom::native {

/// A thread at the moment of a signal.
struct CrashState {
  struct Code {
    uint64_t begin = 0, end = 0, offset = 0; ///< offset: in the file, of `begin`
    std::string file;
  };
  /// As DWARF numbers those of x86-64: 6 the frame, 7 the stack pointer, 16 the instruction.
  static constexpr size_t kFramePointer = 6, kStackPointer = 7, kInstruction = 16;

  int signal = 0;
  std::array<uint64_t, 17> registers{};
  uint64_t stackAt = 0;   ///< the address of `stack`
  std::string stack;      ///< from the stack pointer on, at most 1 MB
  std::vector<Code> code; ///< executable parts of files
};

/// Runs it once more to see where it crashes. `crash`: the last signal for a fault or an abort that
/// the first thread got; none where there was none, or where tracing is not allowed. The run is
/// like that of run() otherwise, but for programs that ask whether they are traced (LeakSanitizer
/// does, and fails).
Outcome runTraced(const Command &command, std::optional<CrashState> &crash,
                  const std::atomic<bool> *stop = nullptr);

} // namespace fathom::native
#endif
