// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_CC_DRIVER_H
#define FATHOM_CC_DRIVER_H

#include "Arguments.h"
#include "Toolchain.h"

namespace fathom::cc {

/// Does what the command line asks for.
/// \returns the exit status of the compiler or linker; 1 for errors of our own
int drive(const Arguments &args, const Toolchain &tools);

} // namespace fathom::cc

#endif
