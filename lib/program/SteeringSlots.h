// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which registers steer a loop: their value flows, within its rounds, into a branch, an address or
// a call. What only adds up (a length, a flag, a checksum) does not, so two ways of a round that
// differ in it can go on as one.
#ifndef FATHOM_PROGRAM_STEERINGSLOTS_H
#define FATHOM_PROGRAM_STEERINGSLOTS_H

#include "program/CodeFlow.h"

#include "llvm/ADT/BitVector.h"

namespace fathom::program {

/// The steering slots at the loop's header. What goes through memory is not followed.
/// O(instructions * slots / 64) for each round of the data flow.
llvm::BitVector steeringSlots(const Program &program, const FunctionCode &f, const CodeFlow &flow,
                              const CodeLoop &loop);

} // namespace fathom::program
#endif
