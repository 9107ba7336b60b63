// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"

#include <fstream>

namespace fathom::report {

const std::vector<std::string> &SourceLines::lines(const std::string &file) {
  auto [known, isNew] = files_.try_emplace(file);
  if (!isNew) return known->second;
  std::ifstream in(file);
  if (!in && !file.empty()) missing_.push_back(file);
  for (std::string text; std::getline(in, text);) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    known->second.push_back(text);
  }
  return known->second;
}

const std::string &SourceLines::line(const std::string &file, uint32_t number) {
  static const std::string kNone;
  const std::vector<std::string> &all = lines(file);
  return number >= 1 && number <= all.size() ? all[number - 1] : kNone;
}

} // namespace fathom::report
