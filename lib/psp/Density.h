// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel density estimation: the simpler of the two models for sparse neighbourhoods ([psp23]
// Sec. III-B, compared in Sec. VI-E).
#ifndef FATHOM_PSP_DENSITY_H
#define FATHOM_PSP_DENSITY_H

#include "psp/Neighbourhood.h"

namespace fathom::psp {

class Density {
public:
  /// \param bandwidth  of the Gaussian kernel; 1 is the default of scikit-learn and of the paper.
  explicit Density(const Samples &samples, double bandwidth = 1);

  /// (1/n) sum_i (2 pi h^2)^(-d/2) exp(-|x - x_i|^2 / (2 h^2)), over all n samples with their
  /// multiplicities; d: variables of the state. It integrates to 1.
  double density(const State &state) const;

  /// The probability of reaching the state: min(1, sum over distinct samples of exp(-|x - x_i|^2 /
  /// (2 h^2))). A density of at most 0.4 per variable is no probability that a state is reached;
  /// scaled so that one sample alone gives 1 at its own place, it is comparable with diffusion.
  /// Departs from the paper, which does not say how it gets from one to the other.
  double probability(const State &state) const;

private:
  const Samples &samples_;
  Neighbourhood near_;
  double bandwidth_;
};

} // namespace fathom::psp
#endif
