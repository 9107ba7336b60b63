// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that a user names.
#ifndef FATHOM_RUN_INPUTFILES_H
#define FATHOM_RUN_INPUTFILES_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// A UsageError unless it is a regular file that can be read: a pipe would block, and a directory
/// reads as nothing. `option` is part of the message; "" for an operand.
llvm::Error requireRegularFile(const std::string &option, const std::string &path);
/// The same for programs; one that does not exist is left to the loader, which knows what else it
/// may be called.
llvm::Error requireRegularPrograms(const std::vector<std::string> &paths);

/// Without links and `..` resolved on the disk.
std::string absolutePath(const std::string &path);

} // namespace fathom::run
#endif
