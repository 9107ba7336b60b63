// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object file or a static library defines for others.
#ifndef FATHOM_PROGRAM_OBJECTSYMBOLS_H
#define FATHOM_PROGRAM_OBJECTSYMBOLS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fathom::program {

/// Adds the names of the file's global symbols that it defines. Errors: it cannot be read, or is
/// neither.
llvm::Error addDefinedSymbols(const std::string &file, llvm::StringSet<> &names);

} // namespace fathom::program
#endif
