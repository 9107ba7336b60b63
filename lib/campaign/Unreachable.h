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
/// Guarantee: no execution covers what is not `No`, as the module is the whole program, but for
/// calls from inline assembly in functions, and for data races, with a signal handler too:
/// arithmetic wraps, a variable that is not initialised may be anything, and what attributes
/// promise is not believed.
/// Deterministic. Time: microseconds for a branch; at most 4,000 questions for a function, none of
/// which may need a search. What was not asked or not answered is `No`.
UnreachableElements unreachableElements(llvm::Module &module);

} // namespace fathom::campaign
#endif
