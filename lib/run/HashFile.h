// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a file as a part of what an answer is kept under.
#ifndef FATHOM_RUN_HASHFILE_H
#define FATHOM_RUN_HASHFILE_H

#include "llvm/Support/BLAKE3.h"

#include <string>

namespace fathom::run {

/// False: it cannot be read, and the hash is as it was. Linear in the file.
bool hashFile(llvm::BLAKE3 &hash, const std::string &path);

} // namespace fathom::run
#endif
