// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a program no execution covers, whatever its input: an upper bound on what a
// campaign can reach, from the program alone.
#ifndef FATHOM_CAMPAIGN_UNREACHABLE_H
#define FATHOM_CAMPAIGN_UNREACHABLE_H

#include <cstdint>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// Why an element is never covered.
enum class Unreachable : uint8_t {
  No,        ///< nothing is known
  Uncalled,  ///< no chain of calls leads to its function, but for calls that cannot be reached
  Condition, ///< the side of a branch that no values of its operands take, given the conditions
             ///< that lead there
  Behind,    ///< only such sides lead to it
};

/// By element, branch sides as program::collectBranches numbers them, and the blocks of the
/// program's own functions in the order of the module.
struct UnreachableElements {
  std::vector<Unreachable> sides, blocks;
};

/// Calls: a function can run that is not the program's own, or main, or whose address is used for
/// anything but a direct call, or that a reachable call in one that can run calls directly.
/// Conditions: a solver is asked whether a side's condition can hold together with those of the
/// branches that dominate it. What a load, a call, an argument or a loop gives may be anything;
/// loads of memory that nothing wrote in between give the same (ConditionTerms.h).
/// Guarantee: no execution without undefined behaviour covers what is not `No`, as the module is
/// the whole program. Of undefined behaviour only accesses by the wrong type and outside of an
/// object can break this; arithmetic wraps, and a variable that is not initialised may be anything.
/// Deterministic. Time: microseconds for a branch, where the solver needs no search.
UnreachableElements unreachableElements(llvm::Module &module);

} // namespace fathom::campaign
#endif
