// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/SourceScan.h"

#include <algorithm>
#include <cctype>

namespace fathom::run::page {

static bool isWordChar(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string codeOnly(std::string_view text) {
  std::string out(text);
  const auto blank = [&](size_t i) {
    if (out[i] != '\n') out[i] = ' ';
  };
  bool isLineStart = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      for (; i < text.size() && text[i] != '\n'; ++i) blank(i);
      isLineStart = true;
    } else if (c == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      const size_t end = std::min(text.find("*/", i + 2), text.size() - 1);
      for (; i < std::min(end + 2, text.size()); ++i) blank(i);
      --i;
    } else if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) blank(i++);
        blank(i);
      }
      isLineStart = false;
    } else if (c == '#' && isLineStart) {
      for (; i < text.size() && (text[i] != '\n' || text[i - 1] == '\\'); ++i) blank(i);
    } else if (c == '\n') {
      isLineStart = true;
    } else if (!isspace(static_cast<unsigned char>(c))) {
      isLineStart = false;
    }
  }
  return out;
}

std::vector<size_t> lineStarts(std::string_view text) {
  std::vector<size_t> out{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') out.push_back(i + 1);
  out.push_back(text.size());
  return out;
}

/// The bracket that closes the one at `open`; npos: none does.
static size_t closing(std::string_view code, size_t open) {
  int depth = 0;
  for (size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '[' || code[i] == '{') ++depth;
    if ((code[i] == ')' || code[i] == ']' || code[i] == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// The bracket that is opened last before `at`, and still open there; npos: none is.
static size_t opening(std::string_view code, size_t at) {
  int depth = 0;
  for (size_t i = at; i-- > 0;) {
    if (code[i] == ')' || code[i] == ']' || code[i] == '}') ++depth;
    if ((code[i] == '(' || code[i] == '[' || code[i] == '{') && depth-- == 0) return i;
  }
  return std::string_view::npos;
}

static uint32_t lineOf(const std::vector<size_t> &starts, size_t at) {
  return static_cast<uint32_t>(std::upper_bound(starts.begin(), starts.end() - 1, at) -
                               starts.begin());
}

std::vector<Function> functionsIn(std::string_view text) {
  const std::string code = codeOnly(text);
  const std::vector<size_t> starts = lineStarts(code);
  std::vector<Function> out;
  size_t head = 0; // where the declaration may begin
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') head = i + 1;
    if (code[i] != '{') continue;
    const size_t end = closing(code, i);
    const std::string_view declaration(code.data() + head, i - head);
    const size_t open = declaration.find('(');
    size_t name = open == std::string_view::npos ? 0 : open;
    while (name > 0 && isspace(static_cast<unsigned char>(declaration[name - 1]))) --name;
    size_t first = name;
    while (first > 0 && isWordChar(declaration[first - 1])) --first;
    if (open != std::string_view::npos && first < name &&
        declaration.find('=') == std::string_view::npos)
      out.push_back({std::string(declaration.substr(first, name - first)),
                     lineOf(starts, head + first),
                     lineOf(starts, end == std::string::npos ? code.size() - 1 : end)});
    if (end == std::string::npos) break; // something is odd: nothing behind it is told
    i = end;
    head = end + 1;
  }
  return out;
}

/// With every run of white space as one space.
static std::string onOneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool isSpace = isspace(static_cast<unsigned char>(c));
    if (!isSpace)
      out += c;
    else if (out.empty() || out.back() != ' ')
      out += ' ';
  }
  return out;
}

namespace {

/// A range of the text.
struct Extent {
  size_t begin = 0, end = 0;
};

/// Finds operands of && and || between brackets.
class ConditionFinder {
public:
  ConditionFinder(std::string_view code) : code_(code) {}

  /// The condition that is the operand at `at`, and what it is part of; false: not understood.
  bool find(size_t at, Extent &whole, Extent &operand) const {
    if (code_.substr(at, 2) == "&&" || code_.substr(at, 2) == "||") {
      if (!around(at, whole)) return false;
      operand = {startOfOperand(at, whole.begin), at};
      return true;
    }
    if (!statement(at, whole) && !around(at, whole)) return false;
    if (whole.begin > at) at = whole.begin;
    operand = lastOperand(whole);
    return true;
  }

private:
  /// What stands in the brackets around `at`.
  bool around(size_t at, Extent &out) const {
    const size_t open = opening(code_, at);
    if (open == std::string_view::npos || code_[open] == '{') {
      // An expression of its own: `a && f();`, `return a && b;`, `x = a ? b : c;`
      size_t begin = at;
      while (begin > 0 && code_[begin - 1] != ';' && code_[begin - 1] != '{' &&
             code_[begin - 1] != '}')
        --begin;
      const size_t end = code_.find_first_of(";{}", at);
      if (end == std::string_view::npos) return false;
      out = {begin, end};
      return true;
    }
    const size_t close = closing(code_, open);
    if (close == std::string_view::npos) return false;
    out = {open + 1, close};
    return true;
  }

  /// The condition of the if, while, for or switch that begins at `at`.
  bool statement(size_t at, Extent &out) const {
    for (const std::string_view word : {"if", "while", "for", "switch"}) {
      if (code_.substr(at, word.size()) != word || isWordChar(code_[at + word.size()])) continue;
      const size_t open = code_.find('(', at);
      const size_t close = open == std::string_view::npos ? open : closing(code_, open);
      if (close == std::string_view::npos) return false;
      out = {open + 1, close};
      if (word != "for") return true;
      const size_t first = code_.find(';', open);
      const size_t second = first < close ? code_.find(';', first + 1) : std::string_view::npos;
      if (second == std::string_view::npos || second > close) return false;
      out = {first + 1, second};
      return true;
    }
    return false;
  }

  /// Back from an operator at `at`: over brackets, up to an operator that binds less, or `begin`.
  size_t startOfOperand(size_t at, size_t begin) const {
    int depth = 0;
    const bool isAnd = code_[at] == '&';
    for (size_t i = at; i-- > begin;) {
      const char c = code_[i];
      if (c == ')' || c == ']') ++depth;
      if (c == '(' || c == '[') --depth;
      if (depth != 0 || i == begin) continue;
      const std::string_view two = code_.substr(i - 1, 2);
      if (two == "||" || two == "&&") return i + 1;
      if (isAnd && (c == '?' || c == ':')) return i + 1;
    }
    return begin;
  }

  Extent lastOperand(const Extent &whole) const {
    int depth = 0;
    for (size_t i = whole.end; i-- > whole.begin + 1;) {
      const char c = code_[i];
      if (c == ')' || c == ']') ++depth;
      if (c == '(' || c == '[') --depth;
      const std::string_view two = code_.substr(i - 1, 2);
      if (depth == 0 && (two == "||" || two == "&&")) return {i + 1, whole.end};
    }
    return whole;
  }

  std::string_view code_;
};

} // namespace

std::array<std::string, 3> conditionAt(std::string_view text, std::string_view code,
                                       const std::vector<size_t> &starts, uint32_t line,
                                       uint32_t column) {
  if (!line || line >= starts.size() || !column) return {};
  const size_t at = starts[line - 1] + column - 1;
  if (at >= code.size() || at >= starts[line]) return {};
  Extent whole, operand;
  if (!ConditionFinder(code).find(at, whole, operand)) return {};
  constexpr size_t kMost = 1000;
  if (whole.end - whole.begin > kMost || operand.end <= operand.begin) return {};
  while (operand.begin < operand.end && isspace(static_cast<unsigned char>(text[operand.begin])))
    ++operand.begin;
  while (operand.begin < operand.end && isspace(static_cast<unsigned char>(text[operand.end - 1])))
    --operand.end;
  std::array<std::string, 3> out{onOneLine(text.substr(whole.begin, operand.begin - whole.begin)),
                                 onOneLine(text.substr(operand.begin, operand.end - operand.begin)),
                                 onOneLine(text.substr(operand.end, whole.end - operand.end))};
  while (out[0].starts_with(' ')) out[0].erase(0, 1);
  while (out[2].ends_with(' ')) out[2].pop_back();
  return out;
}

} // namespace fathom::run::page
