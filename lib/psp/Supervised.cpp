// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Supervised.h"

#include <algorithm>

namespace fathom::psp {

/// The forest's answer for one variable.
static double judge(const Forest &forest, const std::vector<int64_t> &seen, int64_t value) {
  if (seen.empty()) return 0;
  if (std::find(seen.begin(), seen.end(), value) != seen.end()) return 1;
  return forest.probability(ternaryVector(seen, value, forest.k()));
}

static std::vector<int64_t> valuesOf(const std::vector<Neighbour> &near, VariableId variable) {
  std::vector<int64_t> out;
  for (const Neighbour &n : near)
    if (const std::optional<int64_t> value = n.state->value(variable)) out.push_back(*value);
  return out;
}

double supervised(const Forest &forest, const Neighbourhood &near, const State &state, int64_t k,
                  Combine combine) {
  if (state.bindings.empty()) return 0;
  std::vector<Neighbour> all;
  if (combine == Combine::Marginal) all = near.within(state, static_cast<double>(k));
  double least = 1, sum = 0, product = 1;
  for (const auto &[variable, value] : state.bindings) {
    const double p = judge(forest,
                           combine == Combine::Marginal ? valuesOf(all, variable)
                                                        : near.line(state, variable, k),
                           value);
    least = std::min(least, p);
    sum += p;
    product *= p;
  }
  switch (combine) {
  case Combine::Least: return least;
  case Combine::Mean: return sum / static_cast<double>(state.bindings.size());
  case Combine::Product:
  case Combine::Marginal: return product;
  }
  return 0;
}

} // namespace fathom::psp
