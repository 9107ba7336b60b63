// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of a program cannot run, whatever its input: an upper bound on what a campaign
// can cover that needs nothing but the calls that are there.
#ifndef FATHOM_CAMPAIGN_UNCALLED_H
#define FATHOM_CAMPAIGN_UNCALLED_H

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// The own functions that no chain of direct calls leads to from a function that may be entered in
/// another way: one that is not the program's own, or whose address is used for anything but a
/// direct call. By name, sorted.
/// Guarantee: none of them is ever executed, as the module is the whole program (under-approximates
/// what cannot run). Linear.
std::vector<std::string> uncalledFunctions(const llvm::Module &module);

} // namespace fathom::campaign
#endif
