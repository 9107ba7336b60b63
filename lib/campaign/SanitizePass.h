// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sanitizers in the fuzzing variant: checks of every access to memory (LLVM's AddressSanitizer,
// with our own runtime: runtime/native/asan.c), and of arithmetic that C leaves undefined.
//
// Both are made from the bitcode, so a program need not be compiled again for them. What only the
// front end knows is therefore not checked: alignment, the types behind pointers and calls,
// conversions from floating point, where a block's variables end.
#ifndef FATHOM_CAMPAIGN_SANITIZEPASS_H
#define FATHOM_CAMPAIGN_SANITIZEPASS_H

namespace llvm {
class Module;
} // namespace llvm

namespace fathom::campaign {

/// Adds checks of loads, stores and block operations to the whole program with libc, and redzones
/// around its local variables and the global ones that its own code uses. To be run after
/// instrumentForFuzzing, whose counters are not checked. The module then calls __asan_*; its
/// variables are registered by __fathom_asan_module. Linear.
void addAddressChecks(llvm::Module &module);

/// Adds checks to the program's own code: of signed overflow (operations marked nsw), shifts by the
/// width or more, division by zero and of the smallest number by -1, and indices of arrays whose
/// size their type tells. A failed check calls __fathom_undefined. To be run after
/// instrumentForFuzzing: it adds blocks. Linear.
void addUndefinedChecks(llvm::Module &module);

} // namespace fathom::campaign
#endif
