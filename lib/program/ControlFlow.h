// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of a program's own code as nested structures.
#ifndef FATHOM_PROGRAM_CONTROLFLOW_H
#define FATHOM_PROGRAM_CONTROLFLOW_H

#include "support/ControlFlow.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace fathom::program {

/// Every own function (isOwnFunction) with its branches, loops and calls; libc's code is left out,
/// and so are calls of it. A function that is handed to libc (qsort, atexit) counts as called where
/// that happens.
///
/// Each block, and with it each branch and each call, is in the result exactly once. What
/// structures cannot express is given up: a `goto`, `break` or `return` that leaves the middle of
/// something is a branch like any other there, and control goes on after it.
///
/// An indirect call goes to every function of its type whose address is taken. Functions whose
/// address is taken and that no call fits are called at the end of the first function, so that
/// exactly those stay without a caller that nothing refers to.
///
/// Cost:   O(instructions), and O(blocks * depth of nesting).
/// Errors: no own function `main`, nor a fuzzer's entry in its place.
/// Source: [assess25] Sec. III-A, "from control-flow to grammar"; where structures come from the
///         dominator tree, [ramsey22].
llvm::Expected<ControlFlow> controlFlowOf(llvm::Module &module);

} // namespace fathom::program
#endif
