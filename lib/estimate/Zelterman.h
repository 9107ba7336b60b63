// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zelterman's estimator: the chance of being missed altogether, from the ratio of doubletons to
// singletons alone. Rare elements decide, so very unequal elements hurt it less than most others;
// it tends to be too large, and varies much when Q2 is small.
#ifndef FATHOM_ESTIMATE_ZELTERMAN_H
#define FATHOM_ESTIMATE_ZELTERMAN_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

enum class ZeltermanModel {
  Poisson, ///< lambda = 2 Q2/Q1, D/(1 - exp(-lambda)); what published studies computed
  Binomial ///< the same odds with t units known; the two agree for large t
};
enum class ZeltermanBand {
  LogNormal, ///< on the unseen part, as for the other estimators
  Wald,      ///< value -+ z se, cut at D: the published practice
  WaldUncut,
};
struct ZeltermanOptions {
  ZeltermanModel model = ZeltermanModel::Poisson;
  ZeltermanBand band = ZeltermanBand::LogNormal;
  /// lambda = 2 (Q2 + 1/2)/(Q1 + 1/2), so that Q2 = 0 has an answer, too. Not of the literature.
  bool continuityRepair = false;
  FallbackForm fallback = FallbackForm::Sound;
};

/// Not estimable when Q1 > 0 and Q2 = 0: the estimate would be infinite.
/// Source: [zelterman88], variance [boehning08]; the variance of the binomial form follows the same
/// conditioning argument on the log-odds.
Estimate zelterman(const FrequencyCounts &counts, const ZeltermanOptions &options = {});

} // namespace fathom::estimate
#endif
