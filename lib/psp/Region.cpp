// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Region.h"

#include <algorithm>

namespace fathom::psp {

bool Stretch::contains(int64_t value) const {
  if (value < lo || value > hi) return false;
  return stride <= 1 || (static_cast<uint64_t>(value) - static_cast<uint64_t>(lo)) % stride == 0;
}

bool Region::contains(const State &state) const {
  if (isEmpty) return false;
  for (const auto &[variable, stretches] : values)
    if (const std::optional<int64_t> value = state.value(variable))
      if (std::none_of(stretches.begin(), stretches.end(),
                       [&](const Stretch &stretch) { return stretch.contains(*value); }))
        return false;
  for (const PairBound &pair : pairs) {
    const std::optional<int64_t> x = state.value(pair.x), y = state.value(pair.y);
    if (x && y && __int128(pair.signX) * *x + __int128(pair.signY) * *y > pair.bound) return false;
  }
  return !predicate || predicate(state);
}

std::pair<int64_t, int64_t> Region::range(VariableId variable) const {
  const auto at = values.find(variable);
  if (at == values.end() || at->second.empty()) return {INT64_MIN, INT64_MAX};
  std::pair<int64_t, int64_t> out{INT64_MAX, INT64_MIN};
  for (const Stretch &stretch : at->second) {
    out.first = std::min(out.first, stretch.lo);
    out.second = std::max(out.second, stretch.hi);
  }
  return out;
}

} // namespace fathom::psp
