// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_ESTIMATE_SIMPLEXQUADRATIC_H
#define FATHOM_ESTIMATE_SIMPLEXQUADRATIC_H

#include <vector>

namespace fathom::estimate {

/// Minimises 1/2 x'Hx - g'x over x >= 0, sum x = 1, by active sets.
///
/// \param hessian  Shape: n * n, positive semidefinite; a small multiple of its trace is added to
/// the
///                 diagonal, so that points that are almost the same do no harm.
/// \param linear   g. Shape: n.
/// \param start    A feasible x. Shape: n.
/// \returns        x. Shape: n. Feasible; after 3 n + 20 changes of the active set the best so far.
/// Cost: O(n^3) for each change; meant for n below 50.
std::vector<double> minimiseOnSimplex(const std::vector<double> &hessian,
                                      const std::vector<double> &linear,
                                      const std::vector<double> &start);

} // namespace fathom::estimate
#endif
