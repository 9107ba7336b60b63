// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawing by weights that change.
#ifndef FATHOM_EXPLORE_SEARCH_WEIGHTEDINDEX_H
#define FATHOM_EXPLORE_SEARCH_WEIGHTEDINDEX_H

#include "support/Rng.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::explore {

/// Numbers 0..n-1 drawn with probability proportional to a weight; Fenwick tree, O(log n) per draw
/// and update.
class WeightedIndex {
public:
  size_t size() const { return weights_.size(); }
  void append() {
    weights_.push_back(0);
    if (weights_.size() >= tree_.size()) rebuild(weights_.size() * 2 + 16);
  }
  void set(size_t i, double weight) {
    const double delta = weight - weights_[i];
    if (delta == 0) return;
    weights_[i] = weight;
    total_ += delta;
    for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += delta;
    if (++changes_ > 100000) rebuild(tree_.size()); // rounding does not accumulate
  }
  /// Some number of weight above 0; there is one.
  size_t draw(Rng &rng) const {
    double at = (rng.next() + 0.5) / 4294967296.0 * total_;
    size_t pos = 0, step = 1;
    while (step * 2 < tree_.size()) step *= 2;
    for (; step; step /= 2)
      if (pos + step < tree_.size() && tree_[pos + step] < at) {
        pos += step;
        at -= tree_[pos];
      }
    // Rounding may lead to one of weight 0: take the next one that is not.
    for (size_t i = 0;; i++)
      if (size_t at = (pos + i) % weights_.size(); weights_[at] > 0) return at;
  }

private:
  void rebuild(size_t size) {
    tree_.assign(size, 0);
    total_ = 0;
    changes_ = 0;
    for (size_t i = 0; i < weights_.size(); i++) {
      total_ += weights_[i];
      for (size_t j = i + 1; j < tree_.size(); j += j & (~j + 1)) tree_[j] += weights_[i];
    }
  }
  std::vector<double> weights_, tree_ = std::vector<double>(16);
  double total_ = 0;
  uint64_t changes_ = 0;
};

} // namespace fathom::explore
#endif
