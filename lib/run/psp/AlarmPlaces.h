// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the alarms of the abstract interpreter are: what psp triage judges, and where fathom fuzz
// samples.
#ifndef FATHOM_RUN_ALARMPLACES_H
#define FATHOM_RUN_ALARMPLACES_H

#include "campaign/StatePoints.h"
#include "run/scan/ScanAssertions.h"

#include <set>

namespace fathom::run {

/// What is sampled at checks of a kind.
campaign::PointKind pointKindOf(statics::abstract::CheckKind kind);

/// Where the alarms are.
std::set<campaign::PointPlace> placesOf(const CheckedAssertions &scanned);

} // namespace fathom::run
#endif
