// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which numbers the program's variables can hold, wherever control is: a flag that is only ever set
// to 0 and 1, a count that goes up to the size of its table. What begins at an inner function with
// unknown memory can assume them.
//
// A variable counts if all code that can name it is here: it is static, or the program has a main
// and lacks no function; it has no section of its own, and no assembly names it. And every use of
// its address is a load, or a store within it at a fixed offset. Then its numbers are those of its
// initialiser and of its stores. A store's number is bounded by LLVM's lazy value information,
// which knows the branches before it, with the bounds so far assumed of loads: upwards with
// widening until nothing changes, and then down again.
//
// As all of C, this assumes that no access outside of another object reaches the variable.
#ifndef FATHOM_PROGRAM_GLOBALRANGES_H
#define FATHOM_PROGRAM_GLOBALRANGES_H

#include "program/Code.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::program {

/// By the variable's name. Parts of which nothing is known are left out, and so are variables that
/// are const. What nothing stores to is one part, of any size.
/// Cost: copies the functions that store to such variables, and looks at them a few times.
using GlobalRanges = std::unordered_map<std::string, std::vector<NumberRange>>;
GlobalRanges rangesOfGlobals(const llvm::Module &module);

/// Puts them where the engine finds them: Global::ranges.
void noteRanges(GlobalRanges ranges, Program &program);

} // namespace fathom::program
#endif
