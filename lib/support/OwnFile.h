// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that holds Fathom's code: our own executable, or libfathom in a program of others. Files
// that belong to it lie beside it, and answers that are kept depend on its contents.
#ifndef FATHOM_SUPPORT_OWNFILE_H
#define FATHOM_SUPPORT_OWNFILE_H

#include <string>

namespace fathom {

/// Absolute, with links resolved; "": it cannot be told.
const std::string &ownFile();

} // namespace fathom
#endif
