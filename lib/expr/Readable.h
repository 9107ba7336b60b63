// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as people write conditions in C, for messages. Not to be read back: widths are left out
// where they do not matter to the reader, and unsigned and signed comparisons are told apart by a
// mark on the signed ones (`<s`).
#ifndef FATHOM_EXPR_READABLE_H
#define FATHOM_EXPR_READABLE_H

#include "expr/Expr.h"

#include <map>
#include <span>
#include <string>

namespace fathom::expr {

struct ReadableOptions {
  /// What an array that is read as a whole is called; others have their own names.
  std::map<ExprPtr, std::string> names;
  /// The text ends in "..." where it would be longer: terms share parts, and text does not.
  size_t mostBytes = 2000;
};

/// O(min(size of the text, mostBytes)).
std::string toReadable(ExprPtr e, const ReadableOptions &options = {});
/// All of them hold; of none: "true".
std::string toReadable(std::span<const ExprPtr> conjuncts, const ReadableOptions &options);

} // namespace fathom::expr
#endif
