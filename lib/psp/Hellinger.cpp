// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Hellinger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace fathom::psp {

double hellinger(std::span<const double> p, std::span<const double> q) {
  const double allP = std::accumulate(p.begin(), p.end(), 0.0),
               allQ = std::accumulate(q.begin(), q.end(), 0.0);
  if (allP <= 0 || allQ <= 0) return allP <= 0 && allQ <= 0 ? 0 : 1;
  double squares = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const double difference = std::sqrt(p[i] / allP) - std::sqrt(q[i] / allQ);
    squares += difference * difference;
  }
  return std::min(1.0, std::sqrt(squares / 2));
}

/// Seen ones and those beside them.
static std::vector<State> comparedStates(const Samples &now, size_t most) {
  std::set<State> all;
  for (const auto &[state, count] : now.counts()) {
    all.insert(state);
    for (const auto &[variable, value] : state.bindings)
      for (const int64_t step : {-1, 1}) {
        State beside = state;
        int64_t moved = 0;
        if (__builtin_add_overflow(value, step, &moved)) continue;
        beside.set(variable, moved);
        all.insert(std::move(beside));
      }
  }
  std::vector<State> out;
  most = std::max<size_t>(1, most);
  const size_t stride = (all.size() + most - 1) / most;
  size_t number = 0;
  for (const State &state : all)
    if (number++ % stride == 0) out.push_back(state);
  return out;
}

double modelDistance(const Samples &before, const Samples &now, const Forest &forest,
                     size_t mostStates) {
  if (before.isEmpty() || now.isEmpty()) return before.isEmpty() && now.isEmpty() ? 0 : 1;
  ModelOptions options;
  options.sparse = Sparse::Density;
  const std::optional<Model> old = Model::learn(before, {}, forest, options),
                             last = Model::learn(now, {}, forest, options);
  std::vector<double> p, q;
  for (const State &state : comparedStates(now, mostStates)) {
    p.push_back(old->at(state).probability);
    q.push_back(last->at(state).probability);
  }
  return hellinger(p, q);
}

} // namespace fathom::psp
