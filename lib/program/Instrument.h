// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native trace variant of a program: machine code, made from the same bitcode that the engine
// interprets, that reports every branch of the program's own code under the number that the engine
// gives it, and which lines ran.
//
// The code is generated without optimisation: undefined behaviour does natively what it does in the
// bitcode. Linked with runtime/native/trace.c and the sysroot's native library
// (report/NativeVariant.h).
#ifndef FATHOM_PROGRAM_INSTRUMENT_H
#define FATHOM_PROGRAM_INSTRUMENT_H

#include "program/BranchLayout.h"
#include "program/CallStubs.h"
#include "program/Load.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::program {

/// What the bytes of a trace's coverage map mean: first one per branch side, then one per line.
struct TraceLayout : BranchLayout {
  struct Line {
    std::string file;
    uint32_t line = 0;
  };
  std::vector<Line> lines;
  bool makesSymbolic = false;           ///< a harness: its input comes from a .ktest file
  std::vector<ForeignFunction> foreign; ///< executed elsewhere

  uint32_t coverBytes() const { return sides + static_cast<uint32_t>(lines.size()); }
};

/// Raised whenever instrumented code or how it is linked changes: variants of another version are
/// not used.
inline constexpr int kInstrumentVersion = 9;

/// Inserts the calls. `module` has gone through prepareModule without a runtime, with or without
/// promotion of locals.
TraceLayout instrumentForTrace(llvm::Module &module);

/// Reads the program, prepares and instruments it, and writes an object file for x86-64. Functions
/// that neither it nor (isLinked) what it is linked with has are stubs (CallStubs.h).
llvm::Expected<TraceLayout> writeTraceObject(const std::string &bitcodeFile,
                                             const std::string &objectFile,
                                             const LoadOptions &options,
                                             llvm::function_ref<bool(llvm::StringRef)> isLinked);

} // namespace fathom::program
#endif
