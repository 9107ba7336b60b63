// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jackknife of order 1 and 2 and higher: what the estimate would lose if a unit, or two, had
// been left out. They move a fixed distance: too small early in a campaign, too large when many
// elements are hit once by chance.
#ifndef FATHOM_ESTIMATE_JACKKNIFE_H
#define FATHOM_ESTIMATE_JACKKNIFE_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

/// D + Q1 (t-1)/t, log-normal interval. Source: [burnhamoverton78].
Estimate jackknife1(const FrequencyCounts &counts, FallbackForm fallback = FallbackForm::Sound);

/// D + Q1 (2t-3)/t - Q2 (t-2)^2/(t(t-1)), log-normal interval. Below D when there are about twice
/// as many doubletons as singletons: then the value is D, `raw` the formula's, the status
/// below_observed. Source: [burnhamoverton79].
Estimate jackknife2(const FrequencyCounts &counts, FallbackForm fallback = FallbackForm::Sound);

/// Standard errors of jackknife1 from the matrix. Source: [heltsheforrester83].
/// `Published`: a (sum u_j^2 - Q1^2/t), u_j the singletons of unit j. `Vegan` subtracts Q1/t, as
/// that package does, and is larger.
enum class HeltsheForrester { Published, Vegan };
double jackknife1Error(const IncidenceMatrix &matrix,
                       HeltsheForrester form = HeltsheForrester::Published);

/// Order m for large t: D + sum_{j=1..m} (-1)^(j+1) C(m,j) Q_j, interval value -+ z se. As the
/// package SPECIES has it the interval is not cut at D; `cut` does so. REQUIRES 1 <= order <= 10.
Estimate jackknifeLargeT(const FrequencyCounts &counts, unsigned order, bool cut = true);

struct SelectedJackknife {
  unsigned order = 1;
  Estimate estimate;
};
/// The first order, up to `largest` and below the largest frequency, that the next one does not
/// change significantly (5 %). Source: [burnhamoverton79]; the selection as in SPECIES.
SelectedJackknife jackknifeSelected(const FrequencyCounts &counts, unsigned largest = 5,
                                    bool cut = true);

} // namespace fathom::estimate
#endif
