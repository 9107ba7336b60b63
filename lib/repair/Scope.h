// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What debug information says of a line: whether it has code, of which function, and which integer
// variables can be read there.
#ifndef FATHOM_REPAIR_SCOPE_H
#define FATHOM_REPAIR_SCOPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::repair {

struct PlaceScope {
  std::string file; ///< absolute
  std::string function;
  /// Integer variables of at most 64 bits that are declared before the line: locals and parameters
  /// first, those of inner scopes before those of outer ones, then global ones of the file. Each
  /// name once: what is hidden is left out.
  std::vector<std::string> variables;
};

/// Absent: the program's own functions have no code at this line of a file that `file` names.
/// REQUIRES a module as it was compiled, with locals in memory.
/// Not found: static variables of functions; global variables of other files.
std::optional<PlaceScope> scopeAt(llvm::Module &module, const std::string &file, uint32_t line);

/// The files that the program's own functions were compiled from, absolute and sorted.
std::vector<std::string> ownSources(const llvm::Module &module);

/// The name of the own function whose code is around the line; "": none.
std::string functionAround(const llvm::Module &module, const std::string &file, uint32_t line);

} // namespace fathom::repair
#endif
