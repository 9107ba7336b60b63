// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonText.h"

#include "report/Files.h"

#include <cctype>

namespace fathom::report {

using llvm::StringRef;

namespace {

constexpr size_t kMaxDepth = 500;

class Scanner {
public:
  Scanner(StringRef text, size_t &at) : text_(text), at_(at) {}

  /// Uses a stack of its own instead of recursion: documents may be nested to any depth.
  std::string value() {
    std::string open; // '{' or '[', outermost first
    for (;;) {
      skipSpace();
      // A value begins here, or, after a bracket, the container ends at once.
      if (at_ < text_.size() && (text_[at_] == '{' || text_[at_] == '[')) {
        if (open.size() == kMaxDepth) return "nested too deep";
        open += text_[at_++];
        skipSpace();
        if (!accept(open.back() == '{' ? '}' : ']')) {
          if (open.back() == '{')
            if (std::string wrong = key(); !wrong.empty()) return wrong;
          continue;
        }
        open.pop_back();
      } else if (std::string wrong = scalar(); !wrong.empty()) {
        return wrong;
      }
      // A value ended.
      for (;;) {
        if (open.empty()) return "";
        skipSpace();
        if (accept(',')) {
          if (open.back() == '{')
            if (std::string wrong = key(); !wrong.empty()) return wrong;
          break;
        }
        if (!accept(open.back() == '{' ? '}' : ']'))
          return at_ >= text_.size() ? "it ends in the middle" : "a comma or bracket is missing";
        open.pop_back();
      }
    }
  }

  void skipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string string() {
    if (!accept('"')) return at_ >= text_.size() ? "it ends in the middle" : "a name is missing";
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return "";
      if (static_cast<unsigned char>(c) < 0x20) return "a control character in a string";
      if (c != '\\') continue;
      const char escaped = at_ < text_.size() ? text_[at_++] : 0;
      if (escaped == 'u') {
        for (int i = 0; i < 4; ++i)
          if (at_ >= text_.size() || !isxdigit(static_cast<unsigned char>(text_[at_++])))
            return "an odd escape in a string";
      } else if (!StringRef("\"\\/bfnrt").contains(escaped)) {
        return "an odd escape in a string";
      }
    }
    return "it ends in the middle";
  }

private:
  std::string key() {
    skipSpace();
    if (std::string wrong = string(); !wrong.empty()) return wrong;
    skipSpace();
    return accept(':') ? "" : at_ >= text_.size() ? "it ends in the middle" : "a colon is missing";
  }

  std::string scalar() {
    if (at_ >= text_.size()) return "it ends in the middle";
    if (text_[at_] == '"') return string();
    for (const char *word : {"true", "false", "null"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += StringRef(word).size();
        return "";
      }
    return number() ? "" : "a value is missing";
  }

  bool digits() {
    const size_t begin = at_;
    while (at_ < text_.size() && isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ > begin;
  }
  bool number() {
    accept('-');
    if (!digits()) return false;
    if (accept('.') && !digits()) return false;
    if (!accept('e') && !accept('E')) return true;
    if (!accept('+')) accept('-');
    return digits();
  }

  StringRef text_;
  size_t &at_;
};

} // namespace

std::string skipJson(StringRef text, size_t &at) { return Scanner(text, at).value(); }

void forEachMember(StringRef object, llvm::function_ref<void(StringRef, StringRef)> take) {
  size_t at = 0;
  Scanner scan(object, at);
  scan.skipSpace();
  if (!scan.accept('{')) return;
  for (;;) {
    scan.skipSpace();
    const size_t key = at;
    if (!scan.string().empty()) return;
    StringRef name = object.slice(key + 1, at - 1);
    std::string unescaped;
    if (name.contains('\\')) {
      const llvm::json::Value read = parseJson(object.slice(key, at));
      unescaped = read.getAsString().value_or("").str();
      name = unescaped;
    }
    scan.skipSpace();
    scan.accept(':');
    scan.skipSpace();
    const size_t value = at;
    if (!scan.value().empty()) return;
    take(name, object.slice(value, at));
    scan.skipSpace();
    if (!scan.accept(',')) return;
  }
}

void forEachElement(StringRef array, llvm::function_ref<void(StringRef)> take) {
  size_t at = 0;
  Scanner scan(array, at);
  scan.skipSpace();
  if (!scan.accept('[')) return;
  for (;;) {
    scan.skipSpace();
    const size_t value = at;
    if (!scan.value().empty()) return;
    take(array.slice(value, at));
    scan.skipSpace();
    if (!scan.accept(',')) return;
  }
}

llvm::json::Value parseJson(StringRef text) {
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::isUTF8(text) ? llvm::json::parse(text) : llvm::json::parse(utf8(text));
  if (parsed) return std::move(*parsed);
  llvm::consumeError(parsed.takeError());
  return nullptr;
}

} // namespace fathom::report
