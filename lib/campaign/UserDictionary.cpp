// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dictionaries of users. afl-fuzz skips what it does not understand and says so in its log only.
// Here every line is read first, and a wrong line is an error with its place.
#include "campaign/Dictionary.h"

#include "support/TextError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace llvm;

namespace fathom::campaign {

namespace {

/// The value of a quoted word; false, with the reason: it has a wrong escape or a raw byte.
bool unescape(StringRef text, std::string &word, std::string &reason) {
  word.clear();
  while (!text.empty()) {
    const char c = text.front();
    text = text.drop_front();
    if (c == '"') {
      reason = "a quote within the value; write \\\"";
      return false;
    }
    if (c < 0x20 || c > 0x7e) {
      reason = fmt::format("byte {:#04x} within the value; write \\x{:02x}",
                           static_cast<unsigned char>(c), static_cast<unsigned char>(c));
      return false;
    }
    if (c != '\\') {
      word += c;
    } else if (text.starts_with("\\") || text.starts_with("\"")) {
      word += text.front();
      text = text.drop_front();
    } else if (text.size() >= 3 && text[0] == 'x' && isHexDigit(text[1]) && isHexDigit(text[2])) {
      word += static_cast<char>(hexDigitValue(text[1]) * 16 + hexDigitValue(text[2]));
      text = text.drop_front(3);
    } else {
      reason = R"(a wrong escape; expected \\, \" or \xNN)";
      return false;
    }
  }
  return true;
}

/// One line that is neither empty nor a comment. `level`: of the word.
bool parseLine(StringRef line, std::string &word, unsigned &level, std::string &reason) {
  level = 0;
  StringRef name = line.take_until([](char c) { return c == '"'; });
  StringRef value = line.drop_front(name.size());
  reason = "expected name=\"value\"";
  name = name.trim();
  if (!name.empty()) {
    if (!name.consume_back("=")) return false;
    auto [label, number] = name.rtrim().split('@');
    if (label.size() != name.rtrim().size() && number.getAsInteger(10, level)) {
      reason = fmt::format("level '{}': expected a number, as in name@2=\"value\"", number.str());
      return false;
    }
    if (label.find_if([](char c) { return isSpace(c) || c == '='; }) != StringRef::npos)
      return false;
  }
  if (!value.consume_front("\"") || !value.consume_back("\"")) return false;
  // An escaped quote does not end the word.
  if ((value.size() - value.rtrim('\\').size()) % 2) return false;
  if (!unescape(value, word, reason)) return false;
  reason = word.empty() ? "an empty value"
           : word.size() <= kLongestWord
               ? ""
               : fmt::format("a value of {} bytes; at most {}", word.size(), kLongestWord);
  return reason.empty();
}

class Collected {
public:
  void add(std::string word) {
    if (seen_.insert(word).second) words.push_back(std::move(word));
  }
  std::vector<std::string> words;

private:
  std::set<std::string> seen_;
};

Error readFile(const std::string &path, unsigned level, Collected &out) {
  auto data = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!data) return textError(fmt::format("cannot read {}: {}", path, data.getError().message()));
  StringRef rest = (*data)->getBuffer();
  for (unsigned number = 1; !rest.empty(); ++number) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.trim();
    if (line.empty() || line.starts_with("#")) continue;
    std::string word, reason;
    unsigned wordLevel = 0;
    if (!parseLine(line, word, wordLevel, reason))
      return textError(fmt::format("{}:{}: {}", path, number, reason));
    if (wordLevel <= level) out.add(std::move(word));
  }
  return Error::success();
}

/// Every file is a word.
Error readFolder(const std::string &path, Collected &out) {
  std::error_code failed;
  std::vector<std::string> files;
  for (sys::fs::directory_iterator entry(path, failed), end; entry != end && !failed;
       entry.increment(failed))
    if (sys::fs::is_regular_file(entry->path())) files.push_back(entry->path());
  if (failed) return textError(fmt::format("cannot read {}: {}", path, failed.message()));
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    auto data = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!data) return textError(fmt::format("cannot read {}: {}", file, data.getError().message()));
    StringRef word = (*data)->getBuffer();
    if (word.empty() || word.size() > kLongestWord)
      return textError(fmt::format("{}: {} bytes; a word has 1 to {} (AFL's form has many words in "
                                   "one file)",
                                   file, word.size(), kLongestWord));
    out.add(word.str());
  }
  return Error::success();
}

} // namespace

Expected<std::vector<std::string>> readDictionary(const std::string &source) {
  std::string path = source;
  unsigned level = 0;
  if (!sys::fs::exists(path)) {
    auto [before, number] = StringRef(source).rsplit('@');
    if (before.size() != source.size() && !number.getAsInteger(10, level)) path = before.str();
  }
  if (!sys::fs::exists(path)) return textError(fmt::format("{}: no such file", path));
  Collected all;
  if (Error e = sys::fs::is_directory(path) ? readFolder(path, all) : readFile(path, level, all))
    return std::move(e);
  if (all.words.empty()) {
    const std::string atLevel = level ? fmt::format(" up to level {}", level) : "";
    return textError(
        fmt::format("{}: no word in it{}; expected lines name=\"value\"", path, atLevel));
  }
  return std::move(all.words);
}

} // namespace fathom::campaign
