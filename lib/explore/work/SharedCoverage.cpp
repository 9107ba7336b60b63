// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/SharedCoverage.h"

#include "explore/interpreter/Coverage.h"

#include <algorithm>

namespace fathom::explore {

SharedCoverage::SharedCoverage(const program::Program &program)
    : sideCover_(program.ownBranchSides) {
  size_t instructions = 0;
  for (const program::FunctionCode &f : program.functions)
    instructions = std::max<size_t>(instructions, f.coverBase + f.code.size());
  cover_.resize(instructions);
}

void SharedCoverage::restore(const std::vector<uint8_t> &instructions,
                             const std::vector<uint8_t> &sides) {
  std::copy_n(instructions.begin(), std::min(instructions.size(), cover_.size()), cover_.begin());
  std::copy_n(sides.begin(), std::min(sides.size(), sideCover_.size()), sideCover_.begin());
}

std::vector<uint32_t> SharedCoverage::known() const {
  std::vector<uint32_t> covered;
  auto add = [&](const std::vector<uint8_t> &map, uint32_t bit) {
    for (uint32_t i = 0; i < map.size(); i++)
      if (map[i] && !uncovered_.count(i | bit)) covered.push_back(i | bit);
  };
  add(cover_, 0);
  add(sideCover_, Coverage::kSideBit);
  return covered;
}

void SharedCoverage::note(const std::vector<uint32_t> &covered) {
  for (uint32_t what : covered) {
    uncovered_.erase(what);
    bool side = what & Coverage::kSideBit;
    std::vector<uint8_t> &map = side ? sideCover_ : cover_;
    if (uint32_t index = what & ~Coverage::kSideBit; index < map.size()) map[index] = 1;
  }
}

} // namespace fathom::explore
