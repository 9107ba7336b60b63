// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Folder.h"

#include <algorithm>

namespace fathom {

namespace fs = std::filesystem;

std::vector<fs::directory_entry> entriesOf(const fs::path &folder, std::error_code &failed) {
  std::vector<fs::directory_entry> out;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    out.push_back(*at);
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace fathom
