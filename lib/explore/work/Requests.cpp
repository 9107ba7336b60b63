// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Requests.h"

#include <algorithm>

namespace fathom::explore {

std::vector<Request> requestsFor(std::vector<Giver> givers, size_t idle, uint64_t share) {
  std::ranges::sort(givers, [](const Giver &a, const Giver &b) {
    return a.live != b.live ? a.live > b.live : a.worker < b.worker;
  });
  const size_t asked = std::min(idle, givers.size());
  std::vector<Request> requests;
  for (size_t i = 0; i < asked; i++) {
    // The first ones have the most, and serve the odd ones too.
    const size_t serves = idle / asked + (i < idle % asked);
    requests.push_back({givers[i].worker, share * serves});
  }
  return requests;
}

} // namespace fathom::explore
