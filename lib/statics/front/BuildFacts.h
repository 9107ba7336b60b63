// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the prepared module to facts: the only part of the static analyses that knows LLVM.
#ifndef FATHOM_STATICS_FRONT_BUILDFACTS_H
#define FATHOM_STATICS_FRONT_BUILDFACTS_H

#include "statics/front/Facts.h"

#include "llvm/Support/Error.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace llvm {
class Argument;
class Instruction;
class Module;
} // namespace llvm

namespace fathom::statics {

/// Where facts come from. An instruction has none, one, or several statements in a row.
struct FactsOrigin {
  llvm::DenseMap<const llvm::Instruction *, StatementId> firstStatement;
  /// Parameters that are structures: the callee has a copy.
  llvm::DenseMap<const llvm::Argument *, ObjectId> copied;
};

/// `module` has gone through program::prepareModule. What the code of the environment model does is
/// not looked at: system calls are summaries, and execution begins in libc's start-up code, or at
/// the function `entry` when that is not empty. In a library (program::isLibrary) it begins
/// outside, in code that may call every function that is visible there. `origin` is filled when it
/// is not null.
///
/// Guarantee: the statements cover every flow of pointers in code that is looked at, but for what
///            Facts::assumed lists.
/// Errors:    no function of this name; a library without a visible function.
/// Cost:      O(size of the module).
llvm::Expected<Facts> buildFacts(const llvm::Module &module, const std::string &entry,
                                 FactsOrigin *origin = nullptr);

} // namespace fathom::statics
#endif
