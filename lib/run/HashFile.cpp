// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/HashFile.h"

#include "llvm/Support/MemoryBuffer.h"

namespace fathom::run {

bool hashFile(llvm::BLAKE3 &hash, const std::string &path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                  /*RequiresNullTerminator=*/false);
  if (!buffer) return false;
  hash.update((*buffer)->getBuffer());
  return true;
}

} // namespace fathom::run
