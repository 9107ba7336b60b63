// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C text as tokens. Comments and preprocessor directives are no tokens.
#ifndef FATHOM_REPAIR_TOKENS_H
#define FATHOM_REPAIR_TOKENS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::repair {

enum class TokenKind : uint8_t { Word, Number, Literal, Sign };

struct Token {
  TokenKind kind = TokenKind::Sign;
  size_t begin = 0, end = 0; ///< bytes of the text
  uint32_t line = 0;         ///< from 1; where it begins
};

/// In order. A literal that does not end reaches to the end of its line. Cost: O(length).
std::vector<Token> tokensOf(std::string_view text);

/// The value of a character constant with its quotes, as on x86: `'a'`, `'\n'`, `'\x7f'`, `'"'`,
/// `'ab'`. Absent: it is none, has an escape that C does not know, or more than four characters.
std::optional<int64_t> characterOf(std::string_view literal);

/// The texts of all tokens, in order.
std::vector<std::string> tokenTexts(std::string_view text);

/// Levenshtein's distance between two expressions, counted in tokens. Cost: O(a * b).
size_t tokenDistance(std::string_view a, std::string_view b);

} // namespace fathom::repair
#endif
