// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How coverage grew, what the estimator expects, and between which bounds the truth lies.
#ifndef FATHOM_RUN_PAGE_PAGECURVE_H
#define FATHOM_RUN_PAGE_PAGECURVE_H

#include "run/page/CampaignFacts.h"
#include "run/page/PageData.h"

#include <vector>

namespace fathom::run::page {

/// Fills in the series and the estimate of `curve`. REQUIRES that sides are counted. An exploration
/// whose sides are not known gives its own counts.
void collectCurve(const std::vector<CampaignFacts> &campaigns, PageData &data);

/// A curve with at most `most` points: those where it rises most, the first and the last one.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint> &points, size_t most);

} // namespace fathom::run::page
#endif
