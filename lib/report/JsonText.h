// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a JSON text by their extent, without building what is in them: a document with a million
// results is read result by result, in the memory of one.
#ifndef FATHOM_REPORT_JSONTEXT_H
#define FATHOM_REPORT_JSONTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace fathom::report {

/// Skips white space and one value, and checks its grammar on the way.
///
/// \param at  in: where it begins; out: the position after it, or where it is wrong.
/// \returns   what is wrong, like "a value is missing"; "": nothing. Cost: linear. Depth: at most
///            500, which is no limit of JSON.
std::string skipJson(llvm::StringRef text, size_t &at);

/// REQUIRES of both: skipJson accepted the text. Values lie in it; a key is
/// without its escapes, and lives until `take` returns.
void forEachMember(llvm::StringRef object,
                   llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)> take);
void forEachElement(llvm::StringRef array, llvm::function_ref<void(llvm::StringRef value)> take);

/// Builds it; bytes that are not UTF-8 become U+FFFD. Null where it is no JSON.
llvm::json::Value parseJson(llvm::StringRef text);

} // namespace fathom::report
#endif
