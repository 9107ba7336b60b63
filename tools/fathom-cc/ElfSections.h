// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How bitcode travels from a compiled object into the linked program.
//
// Clang can put bitcode into a section of the object: -fembed-bitcode takes it as the front end
// made it, -ffat-lto-objects after optimisation. Other tools know those sections by name (binutils
// takes such an object for an LTO object; linkers drop the second kind), so sealing renames them
// and makes them ordinary: every linker then concatenates the bitcode of exactly the objects and
// archive members that it puts into the program, in its own order, also through ld -r. After the
// link the sections are cut out of the program and the modules in them are merged.
#ifndef FATHOM_CC_ELFSECTIONS_H
#define FATHOM_CC_ELFSECTIONS_H

#include <string>
#include <vector>

namespace fathom::cc {

/// Names of sealed sections. Each replaces a name of clang's of the same length, in place.
inline constexpr char kOwnBitcode[] = ".fathom";            ///< the program's own code, for .llvmbc
inline constexpr char kOwnOptimizedBitcode[] = ".fathombc"; ///< the same, for .llvm.lto
inline constexpr char kLibcBitcode[] = ".fathlc";           ///< the sysroot's code, for .llvmbc
inline constexpr char kLibcOptimizedBitcode[] = ".fathomlc"; ///< the same, for .llvm.lto

/// Seals an object. One without bitcode (assembly) is left alone.
/// \returns an error message, or an empty string
std::string sealObject(const std::string &path, bool libc);

/// The program's own bitcode in a sealed object; empty when there is none.
std::string bitcodeOf(const std::string &object);
/// Puts other bitcode into its place. Machine code stays.
/// \returns an error message, or an empty string
std::string replaceBitcode(const std::string &object, const std::string &bitcode);

/// A symbol that the native program defines.
struct NativeSymbol {
  std::string name;
  bool isFunction;
  bool isLocal;
};

/// What extract() takes out of a linked program.
struct LinkedProgram {
  std::string ownBitcode, libcBitcode; ///< concatenated modules, in link order
  std::vector<NativeSymbol> symbols;   ///< functions, and variables with external linkage
  std::string buildId;                 ///< in hexadecimal; empty: it has none
  std::string error;                   ///< empty on success
};

/// Cuts the bitcode out of a program that has just been linked.
/// \param note  kept in the section instead: where the merged bitcode is
LinkedProgram extract(const std::string &path, const std::string &note);

/// Splits concatenated bitcode into modules (views into \p all). Empty on malformed input.
std::vector<std::string_view> splitModules(std::string_view all);

} // namespace fathom::cc

#endif
