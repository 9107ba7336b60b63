// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/SourcePlace.h"

#include <charconv>

namespace fathom {

std::optional<SourcePlace> sourcePlaceFrom(const std::string &text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  SourcePlace place{text.substr(0, colon), 0};
  const char *end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data() + colon + 1, end, place.line);
  if (failed != std::errc() || stop != end || !place.line) return std::nullopt;
  return place;
}

std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

std::string shortPlace(const std::string &file, uint32_t line) {
  return baseName(file) + ":" + std::to_string(line);
}

bool namesFile(const std::string &asked, const std::string &file) {
  return file == asked || (file.size() > asked.size() && file.ends_with(asked) &&
                           file[file.size() - asked.size() - 1] == '/');
}

} // namespace fathom
