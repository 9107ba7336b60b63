// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Diff.h"

#include "repair/Tokens.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace fathom::repair {

static constexpr size_t kContext = 3;

/// With their line ends, so that a last line without one is another line.
static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t length = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

static void put(std::string &out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

/// The range of a hunk header, such as "12,3". An empty range names the line before it.
static std::string rangeText(size_t first, size_t count) {
  return fmt::format("{},{}", count ? first + 1 : first, count);
}

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<std::string_view> x = linesOf(before), y = linesOf(after);
  size_t head = 0, tail = 0;
  const size_t least = std::min(x.size(), y.size());
  while (head < least && x[head] == y[head]) ++head;
  while (head + tail < least && x[x.size() - 1 - tail] == y[y.size() - 1 - tail]) ++tail;
  const size_t from = head - std::min(head, kContext), behind = std::min(tail, kContext);
  const size_t endX = x.size() - tail, endY = y.size() - tail;
  std::string out =
      fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1} +{2} @@\n", path,
                  rangeText(from, endX + behind - from), rangeText(from, endY + behind - from));
  for (size_t i = from; i < head; ++i) put(out, ' ', x[i]);
  for (size_t i = head; i < endX; ++i) put(out, '-', x[i]);
  for (size_t i = head; i < endY; ++i) put(out, '+', y[i]);
  for (size_t i = endX; i < endX + behind; ++i) put(out, ' ', x[i]);
  return out;
}

namespace {

class DiffReader {
public:
  std::vector<DiffHunk> run(std::string_view text) {
    for (std::string_view line : linesOf(text)) {
      while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
      read(line);
    }
    finish();
    return std::move(out_);
  }

private:
  void read(std::string_view line) {
    if (oldLeft_ || newLeft_) return body(line);
    if (line.starts_with("--- ")) {
      finish();
      oldFile_ = name(line);
    } else if (line.starts_with("+++ ")) {
      newFile_ = name(line);
    } else if (line.starts_with("@@ -")) {
      finish();
      head(line);
    }
  }

  static std::string name(std::string_view line) {
    line.remove_prefix(4);
    return std::string(line.substr(0, line.find('\t')));
  }

  /// "12,3" or "12"
  static bool range(std::string_view text, uint32_t &first, uint32_t &count) {
    const char *end = text.data() + text.size();
    auto [at, failed] = std::from_chars(text.data(), end, first);
    count = 1;
    if (failed != std::errc()) return false;
    if (at == end) return true;
    if (*at != ',') return false;
    const auto [stop, wrong] = std::from_chars(at + 1, end, count);
    return wrong == std::errc() && stop == end;
  }

  void head(std::string_view line) {
    line.remove_prefix(4);
    const size_t plus = line.find(" +"), end = line.find(" @@");
    if (plus == std::string_view::npos || end == std::string_view::npos || plus > end) return;
    uint32_t oldFirst = 0, newFirst = 0;
    if (!range(line.substr(0, plus), oldFirst, oldLeft_) ||
        !range(line.substr(plus + 2, end - plus - 2), newFirst, newLeft_)) {
      oldLeft_ = newLeft_ = 0;
      return;
    }
    at_ = oldFirst;
    isOpen_ = true;
    hunk_ = {oldFile_, newFile_, {}, {}, {}};
  }

  void body(std::string_view line) {
    const char sign = line.empty() ? ' ' : line[0];
    if (sign == '\\') return;
    const std::string rest(line.empty() ? line : line.substr(1));
    if (sign != ' ' && (hunk_.lines.empty() || hunk_.lines.back() != at_))
      hunk_.lines.push_back(at_);
    if (sign == '-') {
      hunk_.removed.push_back(rest);
      oldLeft_ -= oldLeft_ ? 1 : 0;
      ++at_;
    } else if (sign == '+') {
      hunk_.added.push_back(rest);
      newLeft_ -= newLeft_ ? 1 : 0;
    } else {
      oldLeft_ -= oldLeft_ ? 1 : 0;
      newLeft_ -= newLeft_ ? 1 : 0;
      ++at_;
    }
  }

  void finish() {
    if (isOpen_) out_.push_back(std::move(hunk_));
    isOpen_ = false;
    oldLeft_ = newLeft_ = 0;
  }

  std::vector<DiffHunk> out_;
  DiffHunk hunk_;
  std::string oldFile_, newFile_;
  uint32_t oldLeft_ = 0, newLeft_ = 0, at_ = 0;
  bool isOpen_ = false;
};

} // namespace

std::vector<DiffHunk> readDiff(std::string_view text) { return DiffReader().run(text); }

std::vector<std::string> renamedFiles(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view line : linesOf(text)) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    for (const std::string_view head : {"rename from ", "rename to ", "copy from ", "copy to "})
      if (line.starts_with(head)) out.emplace_back(line.substr(head.size()));
  }
  return out;
}

std::string stripped(std::string_view path, unsigned strip) {
  for (; strip; --strip) {
    const size_t slash = path.find('/');
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return std::string(path);
}

std::vector<std::string> changedNames(const std::vector<DiffHunk> &hunks) {
  std::set<std::string> out;
  for (const DiffHunk &hunk : hunks)
    for (const std::vector<std::string> *lines : {&hunk.removed, &hunk.added})
      for (const std::string &line : *lines)
        for (const Token &token : tokensOf(line))
          if (token.kind == TokenKind::Word)
            out.insert(line.substr(token.begin, token.end - token.begin));
  return {out.begin(), out.end()};
}

} // namespace fathom::repair
