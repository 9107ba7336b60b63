// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_REPORT_SOURCELINES_H
#define FATHOM_REPORT_SOURCELINES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fathom::report {

/// Lines of source files, each file read once.
class SourceLines {
public:
  /// Without its end; "" where the file or the line is not there.
  const std::string &line(const std::string &file, uint32_t number);
  /// All of them; none where the file is not there.
  const std::vector<std::string> &lines(const std::string &file);
  /// The files that were asked for and are not there, in order.
  const std::vector<std::string> &missing() const { return missing_; }

private:
  std::vector<std::string> missing_;
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace fathom::report
#endif
