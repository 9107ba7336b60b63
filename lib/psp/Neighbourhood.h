// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N(sigma, k) of [psp23] Sec. III-B: the samples within Euclidean distance k of a state.
#ifndef FATHOM_PSP_NEIGHBOURHOOD_H
#define FATHOM_PSP_NEIGHBOURHOOD_H

#include "psp/Samples.h"

namespace fathom::psp {

/// d(a, b): Euclidean, over the variables that both bind ([psp23] Sec. V). Absent when they share
/// none: nothing can be said about how far apart they are.
std::optional<double> distance(const State &a, const State &b);

struct Neighbour {
  const State *state = nullptr; ///< lives as long as the samples
  uint64_t count = 0;
};

/// An index over a multiset, which must outlive it.
class Neighbourhood {
public:
  explicit Neighbourhood(const Samples &samples);

  /// Ascending by state. Cost: O(log n + samples whose first variable is within k).
  std::vector<Neighbour> within(const State &state, double k) const;
  /// |N(sigma, k)|, counting multiplicities. (Distinct values would not do: within a radius of 20,
  /// one variable has only 41, and the paper's threshold u, ModelOptions::dense, is 100.) Stops
  /// counting at `enough`.
  uint64_t size(const State &state, double k, uint64_t enough = ~uint64_t(0)) const;
  /// The values of one variable, within k of the state's own, in neighbours that agree with the
  /// state in all other variables that both bind. In no order.
  /// REQUIRES that the state binds it. Cost: O(k log n), if all samples bind the same variables.
  std::vector<int64_t> line(const State &state, VariableId along, int64_t k) const;
  /// Whether some sample that binds all of these variables lies in the box, widened by `margin` on
  /// all sides. Shape: one interval per variable 0, 1, ...
  bool touches(std::span<const std::pair<int64_t, int64_t>> box, int64_t margin) const;

private:
  template <class Visit> void scan(const State &state, double k, Visit visit) const;
  const Samples &samples_;
  bool isUniform_ = true;          ///< every sample binds every variable
  std::vector<Neighbour> byFirst_; ///< those that bind variable 0, ascending by its value
  std::vector<Neighbour> others_;
};

} // namespace fathom::psp
#endif
