// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Minimize.h"

#include <algorithm>

namespace fathom::campaign {

std::string minimizeInput(std::string input, const std::function<bool(const std::string &)> &isSame,
                          uint64_t mostRuns) {
  uint64_t runs = 0;
  auto accept = [&](std::string candidate) {
    if (runs >= mostRuns) return false;
    ++runs;
    if (!isSame(candidate)) return false;
    input = std::move(candidate);
    return true;
  };
  for (size_t size = std::max<size_t>(1, input.size() / 2); !input.empty() && runs < mostRuns;) {
    bool changed = false;
    for (size_t at = 0; at < input.size() && runs < mostRuns;) {
      std::string candidate = input;
      candidate.erase(at, size);
      if (accept(std::move(candidate)))
        changed = true;
      else
        at += size;
    }
    // Single bytes until none can go: one may have become useless by the end of another.
    if (size == 1 && !changed) break;
    size = std::max<size_t>(1, size / 2);
  }
  for (size_t size = input.size(); size > 0 && runs < mostRuns; size /= 4)
    for (size_t at = 0; at < input.size() && runs < mostRuns; at += size) {
      std::string candidate = input;
      candidate.replace(at, size, std::min(size, input.size() - at), '0');
      if (candidate != input) accept(std::move(candidate));
    }
  return input;
}

} // namespace fathom::campaign
