// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When is a model good enough? When more samples no longer change it: the Hellinger distance
// between the models of successive moments of a campaign ([psp23] Sec. VI-D).
#ifndef FATHOM_PSP_HELLINGER_H
#define FATHOM_PSP_HELLINGER_H

#include "psp/Model.h"

#include <span>

namespace fathom::psp {

/// H(p, q) = sqrt(sum over i of (sqrt(p_i) - sqrt(q_i))^2) / sqrt(2), of p and q divided by their
/// sums: 0 for equal ones, 1 where they have nothing in common. A vector of zeros has nothing in
/// common with another, and is equal to itself. REQUIRES equal lengths and no negative number.
double hellinger(std::span<const double> p, std::span<const double> q);

/// The distance between two models of one point, learned before and now. Compared are their
/// probabilities of the states seen until now and of the states beside these (one more or less in
/// one variable). If there are more than `mostStates`, every n-th in ascending order is taken, so
/// that at most `mostStates` are. Departs: the paper does not say which states it compares.
/// Where samples are sparse the kernel density answers, which is cheaper than diffusion.
/// \param before  a subset of now's samples; empty: 1, unless now is empty as well.
double modelDistance(const Samples &before, const Samples &now, const Forest &forest,
                     size_t mostStates = 500);

} // namespace fathom::psp
#endif
