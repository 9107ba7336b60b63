// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of files in reports, and the ones that the program knows them by.
#ifndef FATHOM_CONFIRM_REPORTPATHS_H
#define FATHOM_CONFIRM_REPORTPATHS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace fathom::confirm {

/// --path-map OLD=NEW: a path below OLD is the same one below NEW. The first that fits counts.
using PathMap = std::vector<std::pair<std::string, std::string>>;

/// The path of a URI: file:///a/b%20c -> /a/b c. A path without a scheme stays what it is.
std::string pathOfUri(llvm::StringRef uri);

/// Without ".", "a/.." and leading "..", and mapped. An absolute path stays absolute; a relative
/// one names every file that ends in it (support/SourcePlace.h).
std::string programPath(llvm::StringRef path, const PathMap &map);

} // namespace fathom::confirm
#endif
