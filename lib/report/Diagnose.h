// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnoses a crashing input by interpreting it. A native run shows a memory error where the broken
// memory is used, often in the allocator and much later; the engine checks every access.
#ifndef FATHOM_REPORT_DIAGNOSE_H
#define FATHOM_REPORT_DIAGNOSE_H

#include "campaign/Crash.h"

#include <atomic>
#include <chrono>
#include <cstdint>
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

/// Interprets `crash.input` in a child: all memory errors of its path. After an access that
/// natively lands somewhere, the interpreter continues as if the access had not happened; so an
/// error that remains at the place of the signal has another cause. It does not look for leaks,
/// overflows and uninitialised values, which do not crash. Empty: chooseDiagnoses finds none, or
/// time or memory was over. Errors: none; an input that cannot be interpreted has no diagnosis.
/// Threads: one at a time per scratch. Cost: a few tenths of a second to load the program, and
/// about fifty times the native run.
std::vector<campaign::Diagnosis> diagnose(const campaign::Crash &crash,
                                          const DiagnoseOptions &options,
                                          const std::atomic<bool> *stop);

/// Chooses which of these errors, in the order of the path, explain the crash. An error at the
/// place of the signal comes first. Elsewhere, a wrong write or free explains every later fault (on
/// the heap before others; all of them are returned, because it is unknown which one it was). The
/// read of a freed block explains a fault at an address that was in it. Another wrong read explains
/// nothing: many programs read a little too far, and live on. Empty: no error explains the crash.
std::vector<campaign::Diagnosis> chooseDiagnoses(const std::vector<campaign::Diagnosis> &all,
                                                 const campaign::Crash &crash);

} // namespace fathom::report
#endif
