// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the prepared module to facts: the only part of the static analyses that knows LLVM.
#ifndef FATHOM_STATICS_FRONT_BUILDFACTS_H
#define FATHOM_STATICS_FRONT_BUILDFACTS_H

#include "statics/front/Facts.h"

#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
}

namespace fathom::statics {

/// `module` has gone through program::prepareModule. What the code of the environment model does is
/// not looked at: system calls are summaries, and execution begins in libc's start-up code, or at
/// the function `entry` when that is not empty.
///
/// Guarantee: the statements cover every flow of pointers in code that is looked at, but for what
///            Facts::assumed lists.
/// Errors:    no function of this name; none to begin with.
/// Cost:      O(size of the module).
llvm::Expected<Facts> buildFacts(const llvm::Module &module, const std::string &entry);

} // namespace fathom::statics
#endif
