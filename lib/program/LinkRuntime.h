// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links runtime.bc (the model of the system, in C) into a program.
#ifndef FATHOM_PROGRAM_LINKRUNTIME_H
#define FATHOM_PROGRAM_LINKRUNTIME_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace fathom::program {

/// Adds the runtime's definitions to the program. Where both define a symbol, the program's
/// definition stays. The runtime's functions get the attribute "fathom-runtime".
llvm::Error linkRuntime(llvm::Module &program, std::unique_ptr<llvm::Module> runtime);

} // namespace fathom::program
#endif
