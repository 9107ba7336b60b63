// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a function of our own between the program and its allocator, so that a native variant can
// let the same allocations fail that failed in the engine (runtime/native/allocation.c).
#ifndef FATHOM_PROGRAM_FAILALLOCATIONS_H
#define FATHOM_PROGRAM_FAILALLOCATIONS_H

namespace llvm {
class Module;
}

namespace fathom::program {

/// Every use of an allocator's function that the module does not define, libc's own calls included,
/// becomes one of a function that asks first whether this allocation is to fail. One that does
/// returns null and sets errno, as far as the module has one; posix_memalign returns ENOMEM.
void letAllocationsFail(llvm::Module &module);

} // namespace fathom::program
#endif
