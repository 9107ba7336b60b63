// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Knowledge.h"

#include <algorithm>
#include <iterator>

namespace fathom::bmc {

static void unite(std::vector<uint32_t> &into, const std::vector<uint32_t> &other) {
  std::vector<uint32_t> both;
  std::ranges::set_union(into, other, std::back_inserter(both));
  into = std::move(both);
}

void Changes::add(const Changes &other) {
  everything |= other.everything;
  if (everything) return;
  unite(variables, other.variables);
  unite(frames, other.frames);
  blocks |= other.blocks;
}

} // namespace fathom::bmc
