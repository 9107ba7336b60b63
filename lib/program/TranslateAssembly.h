// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_PROGRAM_TRANSLATEASSEMBLY_H
#define FATHOM_PROGRAM_TRANSLATEASSEMBLY_H

namespace llvm {
class CallInst;
}

namespace fathom::program {

/// Replaces an inline assembly statement by LLVM IR where all of its instructions are known
/// (AssemblyCode.h), or leaves it as it is.
/// \returns  whether it was replaced; then the call is gone.
bool translateAssembly(llvm::CallInst &call);

} // namespace fathom::program
#endif
