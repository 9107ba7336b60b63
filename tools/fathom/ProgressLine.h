// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress on stderr: one line that is rewritten on a terminal, otherwise a plain line every ten
// seconds.
#ifndef FATHOM_TOOLS_PROGRESSLINE_H
#define FATHOM_TOOLS_PROGRESSLINE_H

#include <chrono>
#include <string>

namespace fathom::tool {

class ProgressLine {
public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine() { clear(); }
  /// Cheap enough to be called every second or more often.
  void show(const std::string &line);
  /// Before anything else is printed.
  void clear();

private:
  bool enabled_, terminal_, shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace fathom::tool
#endif
