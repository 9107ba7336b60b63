// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program that are called everywhere and that no bug is about: `xmalloc`, `xfree`,
// and what a header defines in place of a macro, as `isspace`. A report that only names such a
// function says nothing: the place of a bug is the nearest call that is none.
#ifndef FATHOM_PROGRAM_THINWRAPPER_H
#define FATHOM_PROGRAM_THINWRAPPER_H

namespace llvm {
class Function;
}

namespace fathom::program {

/// Whether it is short, without a loop, and
///   - returns what an allocator or another such wrapper gave, and stores nothing there; or
///   - frees what it gets, and calls nothing else of the program's own; or
///   - is in a header and not visible outside of the object file.
/// Guarantee: neither; a matter of how reports read.
/// Cost: linear in its instructions, and those of the functions that it calls.
bool isThinWrapper(const llvm::Function &function);

} // namespace fathom::program
#endif
