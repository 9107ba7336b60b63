// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Lcov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace fathom::report {

/// lcov takes letters, digits and underscores only.
static std::string testName(std::string name) {
  for (char &c : name)
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

std::string lcovText(const std::map<std::string, FileCoverage> &files, const std::string &test) {
  std::string out;
  auto add = std::back_inserter(out);
  for (auto &[file, coverage] : files) {
    fmt::format_to(add, "TN:{}\nSF:{}\n", testName(test), file);
    uint64_t sides = 0, sidesHit = 0, linesHit = 0;
    for (const FileCoverage::Branch &branch : coverage.branches) {
      bool reached = std::any_of(branch.sideCounts.begin(), branch.sideCounts.end(),
                                 [](uint64_t n) { return n > 0; });
      for (size_t side = 0; side < branch.sideCounts.size(); ++side) {
        uint64_t n = branch.sideCounts[side];
        // "-": the branch itself was never reached.
        fmt::format_to(add, "BRDA:{},{},{},{}\n", branch.line, branch.block, side,
                       reached ? std::to_string(n) : "-");
        ++sides;
        sidesHit += n > 0;
      }
    }
    if (sides) fmt::format_to(add, "BRF:{}\nBRH:{}\n", sides, sidesHit);
    for (auto &[line, count] : coverage.lines) {
      fmt::format_to(add, "DA:{},{}\n", line, count);
      linesHit += count > 0;
    }
    fmt::format_to(add, "LF:{}\nLH:{}\nend_of_record\n", coverage.lines.size(), linesHit);
  }
  return out;
}

std::string lcovText(const explore::LineCoverage &lines, const std::string &test) {
  std::map<std::string, FileCoverage> files;
  for (auto &[file, covered] : lines.files)
    for (auto &[line, hit] : covered) files[file].lines[line] = hit;
  return lcovText(files, test);
}

} // namespace fathom::report
