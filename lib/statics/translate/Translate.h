// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR to the program of the abstract interpreter: its front.
//
// The program's own functions become blocks and statements; what libc's functions do comes from the
// table of summaries, and any other function without a body may do everything. Accesses, divisions
// and assertions become checks.
#ifndef FATHOM_STATICS_TRANSLATE_TRANSLATE_H
#define FATHOM_STATICS_TRANSLATE_TRANSLATE_H

#include "statics/abstract/Program.h"

namespace llvm {
class Module;
}

namespace fathom::statics {

struct TranslateOptions {
  std::string entry;        ///< empty: main, a harness's function, or all visible ones of a library
  bool checkShifts = false; ///< shift counts below the width
  bool checkOverflow = false; ///< of signed additions, subtractions, products of up to 32 bits
};

/// \param module  prepared (program/Load.h)
/// Cost: linear in the module, but for initial contents of arrays.
abstract::AbstractProgram translate(const llvm::Module &module, const TranslateOptions &options);

} // namespace fathom::statics
#endif
