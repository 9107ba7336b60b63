// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_PROGRAM_STRUCTURES_H
#define FATHOM_PROGRAM_STRUCTURES_H

#include "support/ControlFlow.h"

#include "llvm/IR/Function.h"

#include <functional>

namespace fathom::program {

/// Body, complexity, loops and lines of a function; see ControlFlow.h. `calls` appends to a
/// Sequence what a block calls.
void structureFunction(llvm::Function &function, FlowFunction &out,
                       const std::function<void(llvm::BasicBlock &, Flow &)> &calls);

} // namespace fathom::program
#endif
