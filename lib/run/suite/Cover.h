// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few inputs that cover what all of them cover. The smallest such set is a set cover, which is
// NP-hard; the greedy one is at most ln(n) + 1 times as large, for n elements of the largest input
// (Chvatal, "A greedy heuristic for the set-covering problem", 1979).
//
//   for (const size_t i : greedyCover({{.bytes = 3, .elements = {0, 7}}, ...})) keep(inputs[i]);
#ifndef FATHOM_RUN_SUITE_COVER_H
#define FATHOM_RUN_SUITE_COVER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::run {

struct CoverCandidate {
  uint64_t bytes = 0;
  bool crashes = false;
  std::vector<uint32_t> elements; ///< that it covers, each once
};

/// Indices in the order in which they were chosen: each time the candidate that covers most of what
/// is left; of several, one that does not crash, then the one with the fewest bytes, then the
/// first. At the end those are left out that the others make needless, the largest first.
/// Guarantee: covers all; without any single one of them it does not.
/// Determinism: pure. Cost: O(s log n), for s the sum of all sizes of `elements`.
std::vector<size_t> greedyCover(const std::vector<CoverCandidate> &candidates);

} // namespace fathom::run
#endif
