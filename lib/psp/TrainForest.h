// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random forests by Breiman's method ([forests01]): each tree is grown on a bootstrap sample, and
// each of its splits is the best, by Gini impurity, among a random choice of entries.
//
// All numbers are integers: impurities are compared as fractions, so that the same options give the
// same forest on every machine and with every compiler.
#ifndef FATHOM_PSP_TRAINFOREST_H
#define FATHOM_PSP_TRAINFOREST_H

#include "psp/Forest.h"
#include "psp/Patterns.h"

#include <span>

namespace fathom::psp {

struct ForestOptions {
  int64_t k = 20;
  size_t examples = 40'000; ///< of generated patterns
  size_t trees = 30;
  /// Entries looked at for each split. scikit-learn's default is 6, the square root of 40, and 1
  /// for leastLeaf; these make half as much text and err less.
  unsigned tried = 20;
  size_t leastLeaf = 10; ///< examples
  uint64_t seed = 1;
};

/// REQUIRES at least one example, all of k = options.k. Cost: O(trees * depth * tried * examples).
Forest growForest(std::span<const Example> examples, const ForestOptions &options);

/// On generated patterns: the forest that ships, with the default options.
Forest trainForest(const ForestOptions &options = {});

/// As Forest.def.
std::string forestDefinition(const Forest &forest);

} // namespace fathom::psp
#endif
