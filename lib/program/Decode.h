// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR to register code, once.
#ifndef FATHOM_PROGRAM_DECODE_H
#define FATHOM_PROGRAM_DECODE_H

#include "program/Code.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace fathom::program {

/// Decodes a module that prepareModule (Load.h) has prepared. An instruction that is not supported
/// becomes Op::Unsupported with a message that names it; it ends only the path that reaches it.
/// Cost: linear in the module.
llvm::Expected<Program> decode(const llvm::Module &module);

} // namespace fathom::program
#endif
