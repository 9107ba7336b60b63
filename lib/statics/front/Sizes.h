// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a program is that is about to be analysed.
#ifndef FATHOM_STATICS_FRONT_SIZES_H
#define FATHOM_STATICS_FRONT_SIZES_H

#include <cstdint>
#include <set>
#include <string>

namespace llvm {
class Module;
}

namespace fathom::statics {

/// Counts of what has code or memory; declarations and debug intrinsics do not count.
struct Sizes {
  uint64_t functions = 0;
  uint64_t ownFunctions = 0; ///< neither libc's nor the environment model's
  uint64_t blocks = 0;
  uint64_t instructions = 0;
  uint64_t globals = 0;
  std::set<std::string> ownFiles; ///< where its own functions are, by their debug information
};

/// Pure. Cost: O(instructions).
Sizes sizesOf(const llvm::Module &module);

} // namespace fathom::statics
#endif
