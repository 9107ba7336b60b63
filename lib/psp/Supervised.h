// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M_s of [psp23] Eq. 3: the forest's answer for a state whose neighbourhood is dense.
//
// The forest judges each variable by itself. What the paper leaves open is which seen values belong
// to a variable, and how the answers of several variables combine. Here the values of a variable
// are those on the *line* through the state: of neighbours that agree with the state in all other
// variables. Values of all neighbours, whatever their other variables, would make any combination
// of values that were seen one by one certain, although the combination never occurred.
//
// Each variable's answer is an estimate of the same event, so they are averaged: by the measurement
// in docs/psp.md that errs least on relations whose truth is known.
#ifndef FATHOM_PSP_SUPERVISED_H
#define FATHOM_PSP_SUPERVISED_H

#include "psp/Forest.h"
#include "psp/Neighbourhood.h"

namespace fathom::psp {

enum class Combine : uint8_t {
  Mean,     ///< estimates of equal worth
  Least,    ///< a pattern must hold in every direction
  Product,  ///< independent conditions
  Marginal, ///< as Product, but over the values of all neighbours
};

/// \param k      k_s; at most the forest's k.
/// \param state  not among the samples.
/// \returns      Probability in [0, 1]. A direction in which nothing was seen counts as 0; so does
///               a state without variables.
/// Cost: O(variables * k log samples); Marginal looks at the whole neighbourhood.
double supervised(const Forest &forest, const Neighbourhood &near, const State &state, int64_t k,
                  Combine combine = Combine::Mean);

} // namespace fathom::psp
#endif
