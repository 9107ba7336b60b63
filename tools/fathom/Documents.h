// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents that may hold a million results: written and printed part by part.
#ifndef FATHOM_TOOLS_DOCUMENTS_H
#define FATHOM_TOOLS_DOCUMENTS_H

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace fathom::tool {

/// A file is replaced once all of it is written; a device or a pipe is written to. Throws
/// UsageError, which names the option, where it cannot be written.
void writeDocument(const std::string &option, const std::string &path,
                   const std::function<void(llvm::raw_ostream &)> &write);

/// Prints an object on stdout: `members`, and as `list` what `element` says of 0 to `count` - 1.
/// Members are in the order of their names, as in any document of nlohmann::json.
void printWithList(const nlohmann::json &members, const std::string &list, size_t count,
                   const std::function<nlohmann::json(size_t)> &element);

} // namespace fathom::tool
#endif
