// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instrumentation of the comparison variant: before every comparison of the program's own code
// a call that writes both sides into AFL++'s comparison log (runtime/native/comparisons.c). From
// it afl-fuzz finds the bytes of the input that a comparison depends on, and what to put there
// [redqueen].
//
// As clang's trace-cmp does, with two additions that afl-fuzz can use: how values are compared
// (equal, less, greater), and what the pointers of calls such as strcmp point to.
#ifndef FATHOM_CAMPAIGN_COMPARISONPASS_H
#define FATHOM_CAMPAIGN_COMPARISONPASS_H

namespace llvm {
class Module;
} // namespace llvm

namespace fathom::campaign {

/// Adds calls and no blocks: branches and blocks keep their numbers. To be run before
/// instrumentForFuzzing, whose own comparisons are none of the program's. O(instructions).
void logComparisons(llvm::Module &module);

} // namespace fathom::campaign
#endif
