// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the linker's errors come to, where its own words do not say what to do.
#ifndef FATHOM_CC_LINKERRORS_H
#define FATHOM_CC_LINKERRORS_H

#include <string>

namespace fathom::cc {

/// Does a link fail that lacks functions of a C++ library? Then one line that says why.
/// \param linksCxx  the library was linked
std::string missingCxx(const std::string &errors, bool linksCxx);

} // namespace fathom::cc

#endif
