// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the engine has a program's functions and variables, and which local variables are objects
// there: for native variants that are to see the same addresses (PlaceAddresses.h).
#ifndef FATHOM_PROGRAM_ENGINEADDRESSES_H
#define FATHOM_PROGRAM_ENGINEADDRESSES_H

#include "program/Load.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
}

namespace fathom::program {

struct EngineAddresses {
  llvm::StringMap<uint64_t> functions, globals; ///< by name
  /// By function: the numbers (numberLocals) of the allocas that are objects; the others are
  /// registers.
  llvm::StringMap<llvm::DenseSet<unsigned>> objects;
  std::vector<uint64_t> slotsUsed; ///< as Program's
};

/// Loads the program as the engine does, with the runtime of `options`. Errors: those of
/// loadProgram and prepareModule. Cost: about that of beginning an exploration.
llvm::Expected<EngineAddresses> engineAddresses(const std::string &bitcodeFile,
                                                const LoadOptions &options);

/// Gives the allocas of every function numbers, which passes keep: before any of them.
void numberLocals(llvm::Module &module);
/// None for one that a pass has made.
std::optional<unsigned> localNumber(const llvm::AllocaInst &local);

} // namespace fathom::program
#endif
