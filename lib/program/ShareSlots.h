// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots of a frame that are never live at the same time become one: frames, which states copy, stay
// small. Register allocation without a limit on registers.
#ifndef FATHOM_PROGRAM_SHARESLOTS_H
#define FATHOM_PROGRAM_SHARESLOTS_H

#include "program/Code.h"

namespace fathom::program {

/// Renumbers the slots of `function` below localBase (parameters keep theirs) and moves those from
/// localBase on down accordingly. To be left alone: functions that can return twice (setjmp), whose
/// later part reads what the earlier one left.
///
/// Live ranges with holes, first fit in the order of their first instruction; slots that some
/// instruction takes together stay together. An instruction's result never shares a slot with its
/// operands, because operations on several slots may write before they have read everything.
/// Cost: blocks * slots / 64 for liveness, and about (slots * result) * log(instructions).
void shareSlots(const Program &program, FunctionCode &function);

} // namespace fathom::program
#endif
