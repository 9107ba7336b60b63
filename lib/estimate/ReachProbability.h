// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which uncovered element is next? Estimators of richness see frequencies only: to them all
// uncovered elements are alike. The control flow tells them apart: a side of a branch that is
// executed all the time and always goes the other way is near, code behind five such sides is far.
//
//   N        sampling units
//   c_v      units that cover block v
//   u_v      sides of v that are not covered, and not known to be unreachable
//   p(s)     chance that one more unit covers side s
//
// The published chance of a side of a covered block is (c_v / N) * a / (c_v + a u_v): the block is
// executed, and the side is the next thing it does after c_v units in which it was none of its u_v
// uncovered ones (add-a smoothing). For small a that is the same for all frontiers, and most sides
// that were not taken in many units cannot be taken at all. So here it is divided by c_v, as the
// chance that the side is possible falls: p(s) = a / (c_v + a u_v) / N. From an uncovered block
// each side is taken equally often; a call, and a jump, always. So the chance of every uncovered
// block is the sum over what leads to it from blocks that are nearer to the covered ones, at most
// 1: it is never more than that of what it lies behind. Source: [reach23] Sec. 4, on sampling units
// instead of executions.
//
// With a = 1, as there, the chances of all sides together are far too large: after N units in which
// none of a thousand sides was taken it expects six hundred of them in the next N. So a is chosen
// such that they add up to the discovery rate that Good and Turing's estimate gives, Q1 / N
// (fittedSmoothing): the number is that of the frequencies, the order is that of the control flow.
//
// Knows nothing of a block that only a call through a pointer leads to (p = 0).
#ifndef FATHOM_ESTIMATE_REACHPROBABILITY_H
#define FATHOM_ESTIMATE_REACHPROBABILITY_H

#include <cstdint>
#include <vector>

namespace fathom::estimate {

/// A program's blocks and branch sides, each by a number of its own kind.
struct FlowGraph {
  static constexpr uint32_t kNoSide = ~0u;
  struct Edge {
    uint32_t from, to;       ///< blocks
    uint32_t side = kNoSide; ///< taken when control goes this way; kNoSide: a jump or a call
  };
  struct Element {
    uint64_t units = 0;         ///< that cover it
    bool isUnreachable = false; ///< for sure
    bool isCovered = false;     ///< in another way than by a unit: not to be found any more
  };
  uint64_t units = 0;
  std::vector<Element> blocks, sides;
  std::vector<Edge> edges;
};

struct ReachProbabilities {
  std::vector<double> blocks, sides; ///< of uncovered ones; 0 for the others
  /// Uncovered branch sides that so many more units are expected to cover: sum of 1 - (1 - p)^more.
  double expectedSides(double more) const;
};

/// \param smoothing  a, > 0
/// REQUIRES graph.units > 0. Cost: O(edges log edges).
ReachProbabilities reachProbabilities(const FlowGraph &graph, double smoothing);

/// The smoothing with which the chances of all sides add up to `rate` new ones in a unit, between
/// 1e-9 and 1e3. Cost: that of twenty reachProbabilities.
double fittedSmoothing(const FlowGraph &graph, double rate);

} // namespace fathom::estimate
#endif
