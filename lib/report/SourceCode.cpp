// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceCode.h"

#include "report/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::report {

using llvm::StringRef;

TextHash &TextHash::mix(const std::string &text) {
  for (const unsigned char c : text) hash_ = (hash_ ^ c) * 0x100000001b3ull;
  hash_ = (hash_ ^ 0xff) * 0x100000001b3ull;
  return *this;
}

std::string TextHash::text() const { return hex64(hash_); }

namespace {

/// The words of a text: names, numbers, literals, directives of the preprocessor, and single
/// characters.
class Words {
public:
  explicit Words(StringRef text) : text_(text) {}

  bool next() {
    skipSpace();
    if (at_ >= text_.size()) return false;
    isDirective_ = text_[at_] == '#' && isLineStart_;
    const size_t begin = at_;
    line_ = lineNow_;
    if (isDirective_)
      skipDirective();
    else if (text_[at_] == '"' || text_[at_] == '\'')
      skipLiteral(text_[at_]);
    else if (isOfName(text_[at_]))
      while (at_ < text_.size() && isOfName(text_[at_])) at_++;
    else
      at_++;
    word_ = text_.slice(begin, at_);
    isLineStart_ = false;
    return true;
  }
  StringRef word() const { return word_; }
  uint32_t line() const { return line_; } ///< from 1, where the word begins
  bool isDirective() const { return isDirective_; }

private:
  static bool isOfName(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

  void step() {
    if (text_[at_] == '\n') {
      lineNow_++;
      isLineStart_ = true;
    }
    at_++;
  }

  void skipSpace() {
    while (at_ < text_.size()) {
      const StringRef rest = text_.substr(at_);
      if (llvm::isSpace(text_[at_]) || rest.starts_with("\\\n")) {
        step();
      } else if (rest.starts_with("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') at_++;
      } else if (rest.starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        const size_t stop = end == StringRef::npos ? text_.size() : end + 2;
        const bool wasStart = isLineStart_;
        while (at_ < stop) step();
        isLineStart_ |= wasStart;
      } else {
        return;
      }
    }
  }

  /// To the end of the line, and of those that it goes on in.
  void skipDirective() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      const StringRef rest = text_.substr(at_);
      if (rest.starts_with("//") || rest.starts_with("/*")) return;
      if (rest.starts_with("\\\n")) step();
      step();
    }
  }

  /// One without an end goes to the end of its line.
  void skipLiteral(char quote) {
    at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
      step();
    }
    if (at_ < text_.size() && text_[at_] == quote) at_++;
  }

  StringRef text_, word_;
  size_t at_ = 0;
  uint32_t lineNow_ = 1, line_ = 1;
  bool isLineStart_ = true, isDirective_ = false;
};

} // namespace

/// Functions and declarations at the outermost level, in order.
std::vector<SourceCode::Piece> SourceCode::piecesOf(const std::vector<std::string> &lines) {
  std::vector<Piece> out;
  const std::string text = llvm::join(lines, "\n");
  size_t depth = 0;
  std::vector<size_t> ifs; // the depth at each #if
  Piece piece;
  size_t count = 0; // of its words
  const auto directive = [&](StringRef word) {
    word = word.drop_front().ltrim();
    if (word.starts_with("if")) ifs.push_back(depth);
    if (word.starts_with("el") && !ifs.empty()) depth = ifs.back();
    if (word.starts_with("endif") && !ifs.empty()) ifs.pop_back();
  };
  for (Words words(text); words.next();) {
    const StringRef word = words.word();
    if (words.isDirective()) directive(word);
    if (words.isDirective() && !count) continue;
    if (!count++) piece.first = words.line();
    piece.last = words.line();
    piece.words += word;
    piece.words += '\n';
    if (word == "{") {
      depth++;
      // extern "C" { ... } is no level of its own.
      if (depth != 1 || count != 3 || !StringRef(piece.words).starts_with("extern\n\"")) continue;
      depth = count = 0;
      piece = {};
      continue;
    }
    if (word == "}" && depth) depth--;
    if (depth || (word != "}" && word != ";")) continue;
    if (count > 1) out.push_back(std::move(piece));
    piece = {};
    count = 0;
  }
  if (count) out.push_back(std::move(piece));
  return out;
}

const std::vector<SourceCode::Piece> &SourceCode::pieces(const std::string &file) {
  const auto [known, isNew] = pieces_.try_emplace(file);
  if (isNew) known->second = piecesOf(lines_.lines(file));
  return known->second;
}

std::string SourceCode::line(const std::string &file, uint32_t number, uint32_t column) {
  StringRef text = lines_.line(file, number);
  if (column) text = text.drop_front(std::min<size_t>(column - 1, text.size()));
  std::string out;
  for (Words words(text); words.next();) {
    if (!out.empty()) out += ' ';
    out += words.word();
  }
  return out;
}

std::string SourceCode::around(const std::string &file, uint32_t number, const std::string &name) {
  std::string out;
  const std::vector<Piece> &all = pieces(file);
  const auto piece = std::ranges::lower_bound(all, number, {}, &Piece::last);
  if (piece != all.end() && piece->first <= number) {
    for (StringRef rest = piece->words; !rest.empty();) {
      const auto [word, next] = rest.split('\n');
      if (word != name) out += word.str() + "\n";
      rest = next;
    }
    return out;
  }
  constexpr uint32_t kNext = 2;
  for (uint32_t n = number > kNext ? number - kNext : 1; number && n <= number + kNext; n++)
    out += line(file, n) + "\n";
  return out.find_first_not_of('\n') == std::string::npos ? "" : out;
}

} // namespace fathom::report
