// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/program: which functions give the same for the same arguments and the same memory
// that these reach, whenever and wherever they are called. Searching all inputs of such a function
// proves something.
//
// A function counts if its code, and that of all functions it calls, touches no variable of the
// program that can change, calls nothing by pointer, has no inline assembly (and so makes no system
// call), and turns no address into a number or back. Other functions may be pure as well; the
// analysis does not find that out.
#ifndef FATHOM_PROGRAM_PUREFUNCTIONS_H
#define FATHOM_PROGRAM_PUREFUNCTIONS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace fathom::program {

/// O(size of the module).
llvm::DenseSet<const llvm::Function *> pureFunctions(const llvm::Module &module);

} // namespace fathom::program
#endif
