// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Tokens.h"

#include <algorithm>
#include <cctype>

namespace fathom::repair {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (skip()) {
      Token token;
      token.begin = at_;
      token.line = line_;
      token.kind = read();
      token.end = at_;
      isLineStart_ = false;
      out_.push_back(token);
    }
    return std::move(out_);
  }

private:
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      isLineStart_ = true;
    }
    ++at_;
  }

  /// To the next token; false: there is none.
  bool skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        step();
      } else if (starts("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (starts("/*")) {
        const bool wasLineStart = isLineStart_;
        at_ += 2; // so that /*/ is no whole comment
        while (at_ < text_.size() && !starts("*/")) step();
        at_ = std::min(text_.size(), at_ + 2);
        isLineStart_ = isLineStart_ || wasLineStart;
      } else if (starts("\\\n")) {
        step();
        step();
      } else if (text_[at_] == '#' && isLineStart_) {
        skipDirective();
      } else {
        return true;
      }
    }
    return false;
  }

  void skipDirective() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
      step();
    }
  }

  /// How long a prefix of a literal is: L'x', u8"x".
  size_t prefix() const {
    for (const std::string_view word : {"u8", "L", "u", "U"})
      if (starts(word) && at_ + word.size() < text_.size() &&
          (text_[at_ + word.size()] == '"' || text_[at_ + word.size()] == '\''))
        return word.size();
    return 0;
  }

  TokenKind read() {
    at_ += prefix();
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      step();
      while (at_ < text_.size() && text_[at_] != c && text_[at_] != '\n') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
        step();
      }
      if (at_ < text_.size() && text_[at_] == c) step();
      return TokenKind::Literal;
    }
    if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) {
      while (at_ < text_.size() && (isWord(text_[at_]) || text_[at_] == '.')) step();
      return TokenKind::Number;
    }
    if (isWord(c)) {
      while (at_ < text_.size() && isWord(text_[at_])) step();
      return TokenKind::Word;
    }
    for (const std::string_view sign :
         {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
          "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
      if (starts(sign)) {
        at_ += sign.size();
        return TokenKind::Sign;
      }
    step();
    return TokenKind::Sign;
  }

  std::string_view text_;
  std::vector<Token> out_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool isLineStart_ = true;
};

} // namespace

std::vector<Token> tokensOf(std::string_view text) { return Reader(text).run(); }

/// The characters that C's escapes with one letter stand for.
static std::optional<uint32_t> simpleEscape(char letter) {
  switch (letter) {
  case 'a': return 7;
  case 'b': return 8;
  case 't': return 9;
  case 'n': return 10;
  case 'v': return 11;
  case 'f': return 12;
  case 'r': return 13;
  case 'e': return 27; // GCC and Clang
  case '\\':
  case '\'':
  case '"':
  case '?': return static_cast<unsigned char>(letter);
  default: return std::nullopt;
  }
}

/// One character or escape at the begin of `text`, which is taken from it.
static std::optional<uint32_t> takeCharacter(std::string_view &text) {
  auto next = [&] {
    const char c = text.front();
    text.remove_prefix(1);
    return c;
  };
  const char first = next();
  if (first != '\\') return static_cast<unsigned char>(first);
  if (text.empty()) return std::nullopt;
  auto isOctal = [&] { return !text.empty() && text.front() >= '0' && text.front() <= '7'; };
  uint32_t value = 0;
  if (isOctal()) {
    for (int digits = 0; digits < 3 && isOctal(); ++digits)
      value = value * 8 + static_cast<uint32_t>(next() - '0');
    return value;
  }
  const char letter = next();
  if (letter != 'x') return simpleEscape(letter);
  size_t digits = 0;
  for (; !text.empty() && std::isxdigit(static_cast<unsigned char>(text.front())); ++digits) {
    const char digit = next();
    value =
        value * 16 + static_cast<uint32_t>(isDigit(digit) ? digit - '0' : (digit | 32) - 'a' + 10);
  }
  return digits && digits <= 8 ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> characterOf(std::string_view literal) {
  const bool isWide =
      literal.starts_with("L") || literal.starts_with("u") || literal.starts_with("U");
  while (!literal.empty() && std::isalnum(static_cast<unsigned char>(literal.front())))
    literal.remove_prefix(1);
  if (literal.size() < 3 || literal.front() != '\'' || literal.back() != '\'') return std::nullopt;
  literal = literal.substr(1, literal.size() - 2);
  uint32_t value = 0;
  size_t characters = 0;
  for (; !literal.empty(); ++characters) {
    const std::optional<uint32_t> character = takeCharacter(literal);
    if (!character || (!isWide && *character > 0xff)) return std::nullopt;
    value = isWide ? *character : value << 8 | *character;
  }
  if (characters > (isWide ? 1 : 4)) return std::nullopt;
  // A char has a sign; constants of several characters are an int.
  if (characters == 1 && !isWide) return static_cast<int8_t>(value);
  return static_cast<int32_t>(value);
}

std::vector<std::string> tokenTexts(std::string_view text) {
  std::vector<std::string> out;
  for (const Token &token : tokensOf(text))
    out.emplace_back(text.substr(token.begin, token.end - token.begin));
  return out;
}

size_t tokenDistance(std::string_view a, std::string_view b) {
  const std::vector<std::string> x = tokenTexts(a), y = tokenTexts(b);
  std::vector<size_t> row(y.size() + 1);
  for (size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= x.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= y.size(); ++j) {
      const size_t change = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[y.size()];
}

} // namespace fathom::repair
