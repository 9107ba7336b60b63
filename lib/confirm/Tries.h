// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A try of one report in a round: what it gets, and what became of it.
#ifndef FATHOM_CONFIRM_TRIES_H
#define FATHOM_CONFIRM_TRIES_H

#include "confirm/Children.h"
#include "confirm/Rounds.h"
#include "confirm/Search.h"

namespace fathom::confirm {

/// What one report has in this round.
ReportTime timeOf(const Round &round);
/// More time for one report is more for all where these share theirs.
Finding ofRound(Finding finding, const Round &round);
/// What the process that tried it answered, or how it ended instead.
Finding findingOf(const ChildEnd &end, const Round &round);

} // namespace fathom::confirm
#endif
