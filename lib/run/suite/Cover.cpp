// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/suite/Cover.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace fathom::run {

namespace {

/// What a candidate adds. It only falls, so one whose number is still right is the best one (lazy
/// greedy).
struct Gain {
  size_t fresh = 0, index = 0;
};

} // namespace

std::vector<size_t> greedyCover(const std::vector<CoverCandidate> &candidates) {
  const auto isWorse = [&](const Gain &a, const Gain &b) {
    const CoverCandidate &x = candidates[a.index], &y = candidates[b.index];
    return std::tuple(b.fresh, x.crashes, x.bytes, a.index) >
           std::tuple(a.fresh, y.crashes, y.bytes, b.index);
  };
  std::priority_queue<Gain, std::vector<Gain>, decltype(isWorse)> queue(isWorse);
  uint32_t elements = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    queue.push({candidates[i].elements.size(), i});
    for (const uint32_t element : candidates[i].elements)
      elements = std::max(elements, element + 1);
  }
  std::vector<uint32_t> times(elements); // how many of the chosen ones cover it
  std::vector<size_t> chosen;
  while (!queue.empty() && queue.top().fresh) {
    const Gain best = queue.top();
    queue.pop();
    const std::vector<uint32_t> &own = candidates[best.index].elements;
    const auto fresh = static_cast<size_t>(
        std::ranges::count_if(own, [&](const uint32_t element) { return !times[element]; }));
    if (fresh < best.fresh) {
      queue.push({fresh, best.index});
      continue;
    }
    chosen.push_back(best.index);
    for (const uint32_t element : own) times[element]++;
  }
  std::vector<size_t> largest = chosen;
  std::ranges::sort(largest, [&](const size_t a, const size_t b) {
    const CoverCandidate &x = candidates[a], &y = candidates[b];
    return std::tuple(x.crashes, x.bytes, a) > std::tuple(y.crashes, y.bytes, b);
  });
  for (const size_t index : largest) {
    const std::vector<uint32_t> &own = candidates[index].elements;
    if (std::ranges::any_of(own, [&](const uint32_t element) { return times[element] == 1; }))
      continue;
    for (const uint32_t element : own) times[element]--;
    std::erase(chosen, index);
  }
  return chosen;
}

} // namespace fathom::run
