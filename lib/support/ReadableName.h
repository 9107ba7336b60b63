// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_READABLENAME_H
#define FATHOM_SUPPORT_READABLENAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fathom {

/// A function's or type's name as its source has it: of C++, demangled, without what the library
/// adds for itself (`std::__1::`, `[abi:...]`). Other names stay as they are.
std::string readableName(llvm::StringRef linkageName);

} // namespace fathom
#endif
