// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a bug that the engine found the one that a report means?
#ifndef FATHOM_CONFIRM_SHOWS_H
#define FATHOM_CONFIRM_SHOWS_H

#include "confirm/Defect.h"

namespace fathom::confirm {

/// Before the bug has a test: can it be the one that was reported, or one that says why that was
/// not seen?
bool mayShow(const explore::Bug &bug, const Defect &defect);

/// Is the bug the one that was reported? Its kind, and the innermost own call at the sink; of an
/// analyser that may name the call where the engine is in the callee, any call. A leak is where the
/// block was allocated, for us; where the last pointer goes, for others, and the allocation is
/// their source.
bool shows(const explore::Bug &bug, const Defect &defect);

/// Is it of the report's kind, in a function that the report's line calls, where the report names
/// an access of the line itself? Then paths end before they show what is reported.
bool isInCallee(const explore::Bug &bug, const Defect &defect);

/// Is an error that was found elsewhere, by a fuzzer or an earlier exploration, the one that was
/// reported? Its kind, and the innermost own call at the sink: what goes wrong in a function that
/// the line calls may be a defect that the report does not mean. A leak counts where its
/// block was allocated at the sink.
bool happensAt(evidence::BugKind kind, const std::vector<evidence::StackFrame> &stack,
               const Defect &defect);

} // namespace fathom::confirm
#endif
