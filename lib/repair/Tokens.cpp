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

  TokenKind read() {
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

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> out;
  for (const Token &token : tokensOf(text))
    out.emplace_back(text.substr(token.begin, token.end - token.begin));
  return out;
}

size_t tokenDistance(std::string_view a, std::string_view b) {
  const std::vector<std::string> x = wordsOf(a), y = wordsOf(b);
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
