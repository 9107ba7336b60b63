// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong in a crashing input, by interpreting it: natively a memory error shows where the
// broken memory is used, often in the allocator and long after; the engine checks every access.
#ifndef FATHOM_REPORT_DIAGNOSE_H
#define FATHOM_REPORT_DIAGNOSE_H

#include "campaign/Crash.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::report {

struct DiagnoseOptions {
  std::string fathom;                 ///< our own executable
  std::string program;                ///< as the user named it, absolute
  std::vector<std::string> arguments; ///< of the program, with "@@" where the input file is
  std::string scratch;                ///< folder for its files, absolute; created
  std::chrono::milliseconds time{20000};
  uint64_t memoryBytes = uint64_t(2) << 30;
};

/// Interprets `crash.input` in a child, up to the first memory error; leaks, overflows and
/// uninitialised values, which do not crash, are not looked for. Nothing: there is none, it is none
/// that the crash can come of, or time or memory was over.
/// Errors: none; what cannot be interpreted has no diagnosis. Threads: one at a time per scratch.
/// Cost: a few tenths of a second to load the program, and about fifty times the native run.
std::optional<campaign::Diagnosis> diagnose(const campaign::Crash &crash,
                                            const DiagnoseOptions &options,
                                            const std::atomic<bool> *stop);

/// Can a crash with this symptom come of this? Memory that was written or freed wrongly explains
/// every fault that comes later; a read, or a null pointer, only the fault at the same place: many
/// programs read a little too far, and live on.
bool explains(const campaign::Diagnosis &diagnosis, const campaign::Crash &crash);

} // namespace fathom::report
#endif
