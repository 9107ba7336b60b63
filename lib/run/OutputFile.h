// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_OUTPUTFILE_H
#define FATHOM_RUN_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace fathom::run {

/// A file is replaced once all of it is written, and may be the one that the results came from; a
/// device or a pipe is written to. A UsageError, which names the option: it cannot be written.
llvm::Error writeDocument(const std::string &option, const std::string &path,
                          const std::function<void(llvm::raw_ostream &)> &write);

} // namespace fathom::run
#endif
