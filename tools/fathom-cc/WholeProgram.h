// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the bitcode of everything that was linked into one module: PROGRAM.bc.
//
// Nothing is dropped and nothing is optimised. Three things differ from what a plain llvm-link of
// the same modules gives:
//   - functions of libc and of the sysroot's other parts carry the attribute "fathom-libc";
//   - __init_array_start/end and their kin, which a linker defines, are real arrays built from
//     llvm.global_ctors (which is emptied): libc's start code runs constructors as it does
//     natively;
//   - metadata: !fathom.version (version, version of the runtime's ABI), !fathom.sysroot (what the
//     sysroot calls itself), !fathom.build (the native program's build id), !fathom.missing
//     (function, one entry each: in the native program, but not here).
#ifndef FATHOM_CC_WHOLEPROGRAM_H
#define FATHOM_CC_WHOLEPROGRAM_H

#include "ElfSections.h"

#include <set>
#include <string>
#include <vector>

namespace fathom::cc {

struct MergeOptions {
  std::vector<std::string> wrapped;      ///< symbols of the linker's --wrap
  bool duplicatesAllowed = false;        ///< of several strong definitions the first one counts
  std::string sysrootVersion;            ///< "": it does not say
  std::string buildId;                   ///< of the native program, in hexadecimal; "": it has none
  std::multiset<std::string> nativeOnly; ///< symbols that are expected to be native only
};

struct MergeResult {
  std::string error;                ///< empty on success
  std::vector<std::string> missing; ///< symbols of the native program that no module defines
  std::vector<std::string>
      undefined; ///< called in bitcode, defined nowhere, not known as native only
};

/// Merges the modules in \p program and writes the result to \p output (atomically: a reader never
/// sees half a file). Threads: not safe. Cost: linear in the bitcode.
MergeResult mergeProgram(const LinkedProgram &program, const std::string &output,
                         const MergeOptions &options);

} // namespace fathom::cc

#endif
