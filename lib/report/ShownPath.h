// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_REPORT_SHOWNPATH_H
#define FATHOM_REPORT_SHOWNPATH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fathom::report {

/// A file as one would name it here: relative where it lies below the working directory, otherwise
/// as it is.
std::string shownPath(llvm::StringRef file);

} // namespace fathom::report
#endif
