// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries with AFL++'s custom mutator interface (afl_custom_init, afl_custom_fuzz, ...), which
// afl-fuzz loads.
#ifndef FATHOM_CAMPAIGN_MUTATOR_H
#define FATHOM_CAMPAIGN_MUTATOR_H

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::campaign {

/// Can afl-fuzz use this library? Its symbols are read; nothing of it is executed.
/// Errors: no file, no shared library for this machine, no afl_custom_init, nothing beside it that
/// afl-fuzz would call; a path with ';' or ':', which separate paths for afl-fuzz. Linear in the
/// number of its dynamic symbols.
llvm::Error checkMutator(const std::string &library);

} // namespace fathom::campaign
#endif
