// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding as one line of JSON: what a child process sends, and what is kept for the next run.
#ifndef FATHOM_CONFIRM_FINDINGJSON_H
#define FATHOM_CONFIRM_FINDINGJSON_H

#include "confirm/Defect.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace fathom::confirm {

/// Bytes that are not UTF-8 become U+FFFD.
llvm::json::Value toJson(const Finding &finding);
/// None: it is something else, or of another version.
std::optional<Finding> findingFrom(const llvm::json::Value &value);

llvm::json::Value toJson(const Reproduction &reproduction);
/// None: it is not one.
std::optional<Reproduction> reproductionFrom(const llvm::json::Value &value);

/// What a process answered. The error says why the text is no such thing.
llvm::Expected<Finding> parseFinding(llvm::StringRef text);
llvm::Expected<Reproduction> parseReproduction(llvm::StringRef text);

} // namespace fathom::confirm
#endif
