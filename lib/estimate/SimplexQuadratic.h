// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_ESTIMATE_SIMPLEXQUADRATIC_H
#define FATHOM_ESTIMATE_SIMPLEXQUADRATIC_H

#include <vector>

namespace fathom::estimate {

/// Minimises 1/2 x'Hx - g'x over x >= 0, sum x = 1, by the primal active-set method.
///
/// \param hessian  H. Shape: n * n, positive semidefinite. Its diagonal is raised by 1e-13 of each
///                 entry, and by 1e-15 max |g|: points that are almost the same do no harm then.
/// \param linear   g. Shape: n.
/// \param start    A feasible x. Shape: n.
/// \returns        x. Shape: n. Feasible. The best so far after 3 n + 20 changes of the active
///                 set, or where the system of equations of a set is singular all the same.
/// Cost: O(n^3) for each change; meant for n below 50.
std::vector<double> minimiseOnSimplex(const std::vector<double> &hessian,
                                      const std::vector<double> &linear,
                                      const std::vector<double> &start);

} // namespace fathom::estimate
#endif
