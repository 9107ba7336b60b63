// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which step of a report is the defect's source: only few analysers name it, but their messages
// tell.
#ifndef FATHOM_CONFIRM_SOURCES_H
#define FATHOM_CONFIRM_SOURCES_H

#include "confirm/Defect.h"

namespace fathom::confirm {

/// Removes the steps before the source: where the memory is released, the null pointer comes from,
/// the variable is declared without a value. What leads there ("calling f from main") is the path
/// of the analyser, and the engine finds its own. Steps of which none is known as a source stay as
/// they are, and the first one counts.
void beginAtSource(Defect &defect);

/// Does the first step say that it is the source?
bool namesSource(const Defect &defect);
/// Does the step say that a call returns what its callee made?
bool namesReturnedMemory(const Place &step);
/// Does the step say that memory is allocated there?
bool namesAllocation(const Place &source);
/// Is the source a call, for the null pointer that it may return?
bool namesNullResult(const Place &source);

} // namespace fathom::confirm
#endif
