// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The XML that analysers write: elements, attributes, text, the five named entities and numbers.
// A document type may be there and is skipped, so no entity of its own is ever replaced.
#ifndef FATHOM_CONFIRM_XMLTEXT_H
#define FATHOM_CONFIRM_XMLTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <utility>
#include <vector>

namespace fathom::confirm {

/// Goes through a text token by token. Memory: one token's.
class XmlReader {
public:
  enum class Token : uint8_t {
    Open,  ///< <name attributes>; of <name/> too, whose Close comes next
    Close, ///< </name>
    Text,  ///< not only white space
    End,   ///< of the text, with every element closed
    Wrong  ///< see wrong()
  };
  explicit XmlReader(llvm::StringRef text) : text_(text) {}
  Token next();

  const std::string &name() const { return name_; } ///< of Open and Close
  const std::string &text() const { return value_; }
  /// Of Open; "" where it has none of this name.
  const std::string &attribute(llvm::StringRef name) const;
  size_t begin() const { return begin_; } ///< of the token
  size_t end() const { return at_; }
  size_t depth() const { return open_.size(); } ///< of open elements, after the token
  const char *wrong() const { return wrong_; }

private:
  Token fail(const char *why);
  Token openTag();
  Token closeTag();
  bool skipTo(llvm::StringRef end);
  std::string name(size_t &at) const;

  llvm::StringRef text_;
  size_t at_ = 0, begin_ = 0;
  bool isEmptyElement_ = false;
  std::vector<std::string> open_;
  std::string name_, value_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  const char *wrong_ = "";
};

/// The value of a property list's element (dict, array, string, integer, true, ...), which `xml` is
/// after the Open of. Null where it is none. Depth: at most 100.
llvm::json::Value plistValue(XmlReader &xml, unsigned depth = 0);

} // namespace fathom::confirm
#endif
