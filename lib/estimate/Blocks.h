// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that always come together. Rows of the matrix that are the same are taken for one class
// (a block of the program that is reached as a whole); classes are what is estimated, and each
// unseen class counts as many elements as the classes of singletons have on average.
#ifndef FATHOM_ESTIMATE_BLOCKS_H
#define FATHOM_ESTIMATE_BLOCKS_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

struct Blocks {
  IncidenceMatrix classes;     ///< one row for each class
  std::vector<uint64_t> sizes; ///< elements of each class
  uint64_t elements = 0;       ///< D
};
/// Rows without a unit are left out. Cost: O(incidences log elements).
Blocks collapse(const IncidenceMatrix &matrix);

/// By what the variance of counts grows because elements come in blocks: sum m^2 / sum m over the
/// sizes m of the infrequent classes (Y <= 10), less what elements that share their units by chance
/// add to it; 1 when every element is its own class, or none is infrequent. Every published
/// standard error times the root of it is what it would be if blocks, not elements, were
/// independent. Assumes: units alike. Where some cover much more than others, more meets by chance,
/// and this is too large.
double designEffect(const Blocks &blocks);

/// Chao2 on classes: D + (unseen classes) * (mean size of singleton classes). The variance is that
/// of the product, so the interval does not take the elements of a block for independent. Assumes:
/// unseen classes are of the size of those that were seen once; two classes that have been seen
/// together by chance so far count as one.
Estimate blockChao2(const Blocks &blocks);

} // namespace fathom::estimate
#endif
