// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finder looks for holes among the tokens of a line, LvalueReader for lvalues among those of an
// expression. Neither knows types, so a pattern that could be something else is left out.
#include "repair/Place.h"

#include "repair/Tokens.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <set>

namespace fathom::repair {

namespace {

using Texts = std::initializer_list<std::string_view>;

bool isOneOf(std::string_view text, Texts texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

constexpr std::string_view kAssignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
bool isAssignment(std::string_view text) {
  return std::find(std::begin(kAssignments), std::end(kAssignments), text) !=
         std::end(kAssignments);
}

Hole holeOf(HoleKind kind) {
  Hole out;
  out.kind = kind;
  return out;
}

class Finder {
public:
  Finder(std::string_view source, uint32_t line)
      : source_(source), line_(line), tokens_(tokensOf(source)) {}

  std::vector<Hole> run() {
    size_t depth = 0; // of parentheses
    for (size_t i = 0; i < tokens_.size() && tokens_[i].line <= line_; ++i) {
      if (text(i) == "(") ++depth;
      if (text(i) == ")" && depth) --depth;
      if (tokens_[i].line != line_ || depth) continue;
      if (isOneOf(text(i), {"if", "while"})) {
        if (const std::optional<size_t> close = closing(i + 1)) add(i + 2, *close, {});
      } else if (text(i) == "for") {
        loop(i);
      } else if (isStart(i)) {
        statement(i);
      }
    }
    return std::move(out_);
  }

private:
  std::string_view text(size_t i) const {
    if (i >= tokens_.size()) return "";
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool isWord(size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::Word; }

  /// The token that closes the bracket `open`; none: it is no bracket, or the text ends first.
  std::optional<size_t> closing(size_t open) const {
    if (!isOneOf(text(open), {"(", "[", "{"})) return std::nullopt;
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (isOneOf(text(i), {"(", "[", "{"})) ++depth;
      if (isOneOf(text(i), {")", "]", "}"}) && --depth == 0) return i;
    }
    return std::nullopt;
  }

  /// The first token from `i` on that is one of these, outside of brackets that open after `i`;
  /// none: a bracket closes first.
  std::optional<size_t> find(size_t i, Texts wanted) const {
    for (; i < tokens_.size(); ++i) {
      if (isOneOf(text(i), wanted)) return i;
      if (isOneOf(text(i), {")", "]", "}"})) return std::nullopt;
      if (isOneOf(text(i), {"(", "[", "{"})) {
        const std::optional<size_t> close = closing(i);
        if (!close) return std::nullopt;
        i = *close;
      }
    }
    return std::nullopt;
  }

  std::string between(size_t from, size_t to) const {
    if (from >= to) return "";
    return std::string(
        source_.substr(tokens_[from].begin, tokens_[to - 1].end - tokens_[from].begin));
  }

  /// A hole of the tokens [from, to).
  void add(size_t from, size_t to, Hole hole) {
    if (from >= to || to > tokens_.size()) return;
    hole.begin = tokens_[from].begin;
    hole.end = tokens_[to - 1].end;
    hole.original = between(from, to);
    out_.push_back(std::move(hole));
  }

  void loop(size_t at) {
    const std::optional<size_t> close = closing(at + 1);
    const std::optional<size_t> first = close ? find(at + 2, {";"}) : std::nullopt;
    const std::optional<size_t> second = first ? find(*first + 1, {";"}) : std::nullopt;
    if (second && *second < *close) add(*first + 1, *second, {});
  }

  /// The bracket that the token `close` closes; none: there is none.
  std::optional<size_t> opening(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (isOneOf(text(i), {")", "]", "}"})) ++depth;
      if (isOneOf(text(i), {"(", "[", "{"}) && --depth == 0) return i;
    }
    return std::nullopt;
  }

  /// Whether the colon ends a label, and not the second part of `a ? b : c`.
  bool endsLabel(size_t colon) const {
    size_t first = colon;
    while (first > 0 && !isOneOf(text(first - 1), {";", "{", "}"})) --first;
    return isOneOf(text(first), {"case", "default"}) || first + 1 == colon;
  }

  bool isStart(size_t i) const {
    if (i == 0 || isOneOf(text(i), {";", "{", "}", "(", ")", "else", "do"})) return false;
    const std::string_view before = text(i - 1);
    if (before == ":") return endsLabel(i - 1);
    if (before == ")") { // of a cast or of a statement's head
      const std::optional<size_t> open = opening(i - 1);
      return open && *open > 0 && isOneOf(text(*open - 1), {"if", "while", "for", "switch"});
    }
    return isOneOf(before, {";", "{", "}", "else", "do"});
  }

  void statement(size_t at) {
    if (isOneOf(text(at), {"switch", "case", "default", "goto", "typedef"})) return;
    const std::optional<size_t> end = find(at, {";"});
    if (!end || text(at + 1) == ":") return;
    Hole guard = holeOf(HoleKind::Guard);
    guard.needsBraces = isOneOf(text(at - 1), {")", "else", "do"});
    if (text(at) == "return") {
      add(at + 1, *end, holeOf(HoleKind::Value));
      return add(at, *end + 1, guard);
    }
    const bool isDeclaration =
        isWord(at) && !isOneOf(text(at), {"break", "continue"}) &&
        (isWord(at + 1) || (text(at + 1) == "*" && (isWord(at + 2) || text(at + 2) == "*")));
    for (size_t i = at; i < *end; ++i) {
      if (const std::optional<size_t> close = closing(i)) {
        i = *close;
      } else if (isAssignment(text(i))) {
        Hole value = holeOf(HoleKind::Value);
        value.isDeclared = isDeclaration;
        value.isUpdate = text(i) != "=";
        value.assigned = isDeclaration ? std::string(text(i - 1)) : between(at, i);
        const size_t stop = std::min(find(i + 1, {",", ";"}).value_or(*end), *end);
        if (text(i + 1) != "{") add(i + 1, stop, std::move(value));
        break;
      }
    }
    if (!isDeclaration) add(at, *end + 1, guard);
  }

  std::string_view source_;
  uint32_t line_;
  std::vector<Token> tokens_;
  std::vector<Hole> out_;
};

} // namespace

const char *textOf(HoleKind kind) {
  constexpr const char *kTexts[] = {"condition", "value", "guard"};
  return kTexts[size_t(kind)];
}

std::vector<Hole> holesAt(std::string_view source, uint32_t line) {
  return Finder(source, line).run();
}

std::string fill(std::string_view source, const Hole &hole, std::string_view expression) {
  std::string out(source.substr(0, hole.begin));
  if (hole.kind == HoleKind::Guard) {
    if (hole.needsBraces) out += "{ ";
    out += "if (";
    out += expression;
    out += ") ";
    out += hole.original;
    if (hole.needsBraces) out += " }";
  } else {
    out += expression;
  }
  out += source.substr(hole.end);
  return out;
}

namespace {

/// Places in memory as an expression writes them: a word, or a parenthesis with a pointer in it,
/// what is selected of that, and what stands before it: `b[i].n`, `*p`, `(*p).n`, `*(p + 1)`.
class LvalueReader {
public:
  explicit LvalueReader(std::string_view expression)
      : expression_(expression), tokens_(tokensOf(expression)) {}

  std::vector<std::string> run() {
    std::vector<std::string> out;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      std::string lvalue = lvalueAt(i);
      if (!lvalue.empty() && isPure(lvalue) &&
          std::find(out.begin(), out.end(), lvalue) == out.end())
        out.push_back(std::move(lvalue));
      if (const size_t behind = behindFollowed(i)) i = behind - 1;
    }
    return out;
  }

private:
  /// After `(*p)` where more is selected of it, or it is called: *p is no number then. 0: it is
  /// not that.
  size_t behindFollowed(size_t i) const {
    size_t at = i + 1;
    while (text(at) == "*") ++at;
    const bool isPointer =
        text(i) == "(" && at > i + 1 && text(at + 1) == ")" && tokens_[at].kind == TokenKind::Word;
    return isPointer && isOneOf(text(at + 2), {".", "->", "[", "("}) ? at + 2 : 0;
  }

  std::string_view text(size_t i) const {
    return i < tokens_.size()
               ? expression_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
               : std::string_view();
  }

  /// After the bracket that `open` opens; the end when it is not closed.
  size_t behind(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (isOneOf(text(i), {"(", "["})) ++depth;
      if (isOneOf(text(i), {")", "]"}) && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  /// Whether `close` closes the type of a cast: `(int)`, `(const char *)`, `(uint8_t)`.
  bool endsCast(size_t close) const {
    bool isType = false;
    for (size_t i = close; i-- > 0;) {
      if (text(i) == "(") return isType && (i == 0 || !endsOperand(i - 1));
      const bool isWord = tokens_[i].kind == TokenKind::Word;
      if (!isWord && text(i) != "*") return false;
      isType |= text(i).ends_with("_t") || (text(i) == "*" && text(i + 1) == ")") ||
                isOneOf(text(i), {"char", "short", "int", "long", "signed", "unsigned", "_Bool",
                                  "bool", "struct", "union", "enum", "const", "volatile"});
    }
    return false;
  }

  /// Whether a value ends with this token, so that a star after it multiplies.
  bool endsOperand(size_t i) const {
    if (tokens_[i].kind != TokenKind::Sign) return text(i) != "sizeof";
    return text(i) == "]" || (text(i) == ")" && !endsCast(i)) || isOneOf(text(i), {"++", "--"});
  }

  /// The lvalue that begins with a word or a parenthesis here; "": none does.
  std::string lvalueAt(size_t i) const {
    const bool isGroup = text(i) == "(";
    if (tokens_[i].kind == TokenKind::Word ? text(i) == "sizeof" : !isGroup) return "";
    if (i && isOneOf(text(i - 1), {".", "->"})) return "";
    if (isGroup && i && (endsOperand(i - 1) || text(i - 1) == "sizeof")) return "";
    size_t end = isGroup ? behind(i) : i + 1;
    if (isGroup && (end == tokens_.size() ? text(end - 1) != ")" : endsCast(end - 1))) return "";
    const size_t primary = end;
    while (end < tokens_.size()) {
      if (text(end) == "[" && behind(end) <= tokens_.size() && text(behind(end) - 1) == "]")
        end = behind(end);
      else if (isOneOf(text(end), {".", "->"}) && end + 1 < tokens_.size() &&
               tokens_[end + 1].kind == TokenKind::Word)
        end += 2;
      else
        break;
    }
    size_t begin = i;
    while (begin && text(begin - 1) == "*" && (begin == 1 || !endsOperand(begin - 2))) --begin;
    if (begin == i && end == primary) return "";
    // What is changed, called, or only has its address taken is not read.
    if (isOneOf(text(end), {"(", "++", "--"})) return "";
    if (begin && (isOneOf(text(begin - 1), {"++", "--", "sizeof"}) ||
                  (text(begin - 1) == "&" && (begin == 1 || !endsOperand(begin - 2)))))
      return "";
    return std::string(
        expression_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin));
  }

  std::string_view expression_;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<std::string> lvaluesOf(std::string_view expression) {
  return LvalueReader(expression).run();
}

bool isPure(std::string_view expression) {
  const std::vector<Token> tokens = tokensOf(expression);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text =
        expression.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
    if (isAssignment(text) || isOneOf(text, {"++", "--", "{", ";", ","})) return false;
    if (text != "(" || i == 0) continue;
    const Token &before = tokens[i - 1];
    const std::string_view previous = expression.substr(before.begin, before.end - before.begin);
    if ((before.kind == TokenKind::Word && previous != "sizeof") || isOneOf(previous, {")", "]"}))
      return false;
  }
  return true;
}

bool hasNoShortCircuit(std::string_view expression) {
  for (const std::string &word : tokenTexts(expression))
    if (isOneOf(word, {"&&", "||", "?"})) return false;
  return true;
}

bool isBooleanValued(std::string_view expression) {
  const std::vector<Token> tokens = tokensOf(expression);
  auto text = [&](size_t i) {
    return expression.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
  };
  auto closing = [&](size_t open) {
    int depth = 0;
    size_t i = open;
    for (; i < tokens.size(); ++i) {
      depth += (text(i) == "(") - (text(i) == ")");
      if (!depth) break;
    }
    return i;
  };
  size_t from = 0, to = tokens.size();
  while (from < to && text(from) == "(" && closing(from) + 1 == to) ++from, --to;

  bool isOutside = false, isInside = false, computes = false;
  std::vector<bool> hides; // brackets that are open: does it matter what is in them?
  for (size_t i = from; i < to; ++i) {
    const bool follows = i > from && (tokens[i - 1].kind != TokenKind::Sign ||
                                      isOneOf(text(i - 1), {")", "]"})); // an operand
    if (isOneOf(text(i), {"(", "[", "{"})) {
      const bool isCall = follows && tokens[i - 1].kind == TokenKind::Word;
      hides.push_back((!hides.empty() && hides.back()) || isCall || text(i) != "(");
    } else if (isOneOf(text(i), {")", "]", "}"})) {
      if (!hides.empty()) hides.pop_back();
    } else if (text(i) == "?" && hides.empty()) {
      return false;
    } else if (isOneOf(text(i), {"<", "<=", ">", ">=", "==", "!=", "&&", "||"})) {
      (hides.empty() ? isOutside : isInside) |= hides.empty() || !hides.back();
    } else if (text(i) == "!") {
      isInside |= hides.empty() || !hides.back();
    } else if (follows && hides.empty() &&
               isOneOf(text(i), {"+", "-", "*", "/", "%", "<<", ">>"})) {
      computes = true;
    }
  }
  return isOutside || (isInside && !computes);
}

/// Decimal, octal and hexadecimal.
static std::optional<int64_t> integerOf(const std::string &text) {
  char *end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 0);
  if (errno || value > INT32_MAX ||
      std::string_view(end).find_first_not_of("uUlL") != std::string_view::npos)
    return std::nullopt;
  return static_cast<int64_t>(value);
}

std::vector<int64_t> numbersNear(std::string_view source, uint32_t firstLine, uint32_t lastLine) {
  std::set<int64_t> out;
  for (const Token &token : tokensOf(source)) {
    if (token.line < firstLine || token.line > lastLine) continue;
    const std::string text(source.substr(token.begin, token.end - token.begin));
    const std::optional<int64_t> value = token.kind == TokenKind::Number    ? integerOf(text)
                                         : token.kind == TokenKind::Literal ? characterOf(text)
                                                                            : std::nullopt;
    if (value) out.insert(*value);
  }
  return {out.begin(), out.end()};
}

} // namespace fathom::repair
