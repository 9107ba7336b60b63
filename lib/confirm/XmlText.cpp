// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/XmlText.h"

#include "report/Files.h"

#include "llvm/Support/ConvertUTF.h"

#include <cctype>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// &apos; and &#39; become what they stand for; anything else stays as it is.
static std::string withoutEntities(StringRef text) {
  static constexpr std::pair<const char *, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string out;
  while (!text.empty()) {
    const size_t ampersand = text.find('&');
    out += text.take_front(ampersand);
    if (ampersand == StringRef::npos) break;
    text = text.drop_front(ampersand);
    const size_t semicolon = text.take_front(12).find(';');
    StringRef name = semicolon == StringRef::npos ? "" : text.slice(1, semicolon);
    unsigned number = 0;
    char utf8[4], *end = utf8;
    bool isKnown = false;
    for (auto &[word, character] : kNamed)
      if (name == word) {
        out += character;
        isKnown = true;
      }
    if (!isKnown && name.consume_front("#")) {
      const bool isHex = name.consume_front("x");
      if (!name.getAsInteger(isHex ? 16 : 10, number) && number &&
          llvm::ConvertCodePointToUTF8(number, end)) {
        out.append(utf8, end);
        isKnown = true;
      }
    }
    if (!isKnown) out += '&';
    text = text.drop_front(isKnown ? semicolon + 1 : 1);
  }
  return report::utf8(out);
}

const std::string &XmlReader::attribute(StringRef name) const {
  static const std::string kNone;
  for (auto &[key, value] : attributes_)
    if (name == key) return value;
  return kNone;
}

XmlReader::Token XmlReader::fail(const char *why) {
  wrong_ = why;
  at_ = text_.size();
  return Token::Wrong;
}

bool XmlReader::skipTo(StringRef end) {
  const size_t found = text_.find(end, at_);
  if (found == StringRef::npos) return false;
  at_ = found + end.size();
  return true;
}

std::string XmlReader::name(size_t &at) const {
  const size_t begin = at;
  while (at < text_.size() &&
         (isalnum(static_cast<unsigned char>(text_[at])) || StringRef("_-.:").contains(text_[at])))
    ++at;
  return text_.slice(begin, at).str();
}

XmlReader::Token XmlReader::next() {
  static constexpr const char *kCut = "it ends in the middle";
  if (*wrong_) return Token::Wrong;
  if (isEmptyElement_) {
    isEmptyElement_ = false;
    open_.pop_back();
    return Token::Close;
  }
  for (;;) {
    begin_ = at_;
    if (at_ >= text_.size()) return open_.empty() ? Token::End : fail(kCut);
    const StringRef rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      if (!skipTo("-->")) return fail(kCut);
    } else if (rest.starts_with("<?")) {
      if (!skipTo("?>")) return fail(kCut);
    } else if (rest.starts_with("<![CDATA[")) {
      if (!skipTo("]]>")) return fail(kCut);
      value_ = report::utf8(text_.slice(begin_ + 9, at_ - 3));
      return Token::Text;
    } else if (rest.starts_with("<!")) {
      if (!skipTo(">")) return fail(kCut);
    } else if (rest.starts_with("</")) {
      return closeTag();
    } else if (rest[0] == '<') {
      return openTag();
    } else {
      at_ = std::min(text_.find('<', at_), text_.size());
      const StringRef text = text_.slice(begin_, at_).trim(" \t\r\n");
      if (text.empty()) continue;
      if (open_.empty()) return fail("text outside of elements");
      value_ = withoutEntities(text);
      return Token::Text;
    }
  }
}

XmlReader::Token XmlReader::closeTag() {
  at_ += 2;
  name_ = name(at_);
  if (!skipTo(">")) return fail("it ends in the middle");
  if (open_.empty() || open_.back() != name_) return fail("elements overlap");
  open_.pop_back();
  return Token::Close;
}

XmlReader::Token XmlReader::openTag() {
  ++at_;
  name_ = name(at_);
  if (name_.empty()) return fail("an element without a name");
  attributes_.clear();
  const auto skipSpace = [&] {
    while (at_ < text_.size() && isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  };
  for (;;) {
    skipSpace();
    if (at_ >= text_.size()) return fail("it ends in the middle");
    if (text_[at_] == '>' || text_.substr(at_).starts_with("/>")) break;
    std::string key = name(at_);
    skipSpace();
    if (key.empty() || at_ >= text_.size() || text_[at_] != '=') return fail("an odd attribute");
    ++at_;
    skipSpace();
    const char quote = at_ < text_.size() ? text_[at_] : 0;
    if (quote != '"' && quote != '\'') return fail("an attribute without quotes");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == StringRef::npos) return fail("it ends in the middle");
    attributes_.emplace_back(std::move(key), withoutEntities(text_.slice(at_ + 1, end)));
    at_ = end + 1;
  }
  isEmptyElement_ = text_[at_] == '/';
  at_ += isEmptyElement_ ? 2 : 1;
  open_.push_back(name_);
  return Token::Open;
}

Value plistValue(XmlReader &xml, unsigned depth) {
  const std::string kind = xml.name();
  Object object;
  Array array;
  std::string text, key;
  const size_t outer = xml.depth() - 1;
  for (;;) {
    const XmlReader::Token token = xml.next();
    if (token == XmlReader::Token::End || token == XmlReader::Token::Wrong) return nullptr;
    if (token == XmlReader::Token::Close && xml.depth() == outer) break;
    if (token == XmlReader::Token::Text) text += xml.text();
    if (token != XmlReader::Token::Open) continue;
    if (depth > 100) continue;
    const bool isKey = xml.name() == "key";
    Value inner = plistValue(xml, depth + 1);
    if (isKey)
      key = inner.getAsString().value_or("").str();
    else if (kind == "dict")
      object[std::exchange(key, "")] = std::move(inner);
    else
      array.push_back(std::move(inner));
  }
  if (kind == "dict") return object;
  if (kind == "array") return array;
  if (kind == "true" || kind == "false") return kind == "true";
  if (kind == "integer") {
    int64_t number = 0;
    return StringRef(text).getAsInteger(10, number) ? Value(nullptr) : Value(number);
  }
  return text;
}

} // namespace fathom::confirm
