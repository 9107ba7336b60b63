// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be told of C source by its text alone, for people: where functions begin and end, and
// the words of a condition. No preprocessor; what is not understood is left out, never guessed.
#ifndef FATHOM_RUN_PAGE_SOURCESCAN_H
#define FATHOM_RUN_PAGE_SOURCESCAN_H

#include "run/page/PageData.h"

#include <string>
#include <string_view>
#include <vector>

namespace fathom::run::page {

/// The same text with comments, and the contents of strings and of preprocessor lines, as spaces.
std::string codeOnly(std::string_view text);

/// Definitions of functions in the order of the text: a name, parentheses, and a block, outside of
/// any other block. The first line is that of the name. O(text).
std::vector<Function> functionsIn(std::string_view text);

/// Where each line of a text begins; one more for its end.
std::vector<size_t> lineStarts(std::string_view text);

/// The condition of a branch at a line and column (both from 1), as clang gives places: the
/// operator
/// && or || whose left operand decides; otherwise the statement or the condition, of which the last
/// operand decides.
///
/// \param text    the source; `code`: codeOnly of it.
/// \returns  what stands before the operand, the operand, and what stands behind it, each on one
///           line; all empty: not understood.
std::array<std::string, 3> conditionAt(std::string_view text, std::string_view code,
                                       const std::vector<size_t> &starts, uint32_t line,
                                       uint32_t column);

} // namespace fathom::run::page
#endif
