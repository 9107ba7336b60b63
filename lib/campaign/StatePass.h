// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instrumentation that samples states: at each point, the values of the variables in its
// condition, and of local integer variables in scope that have been assigned for certain, go to
// runtime/native/states.c. Of reads and writes it is where in their objects they are
// (StateAccess.h).
//
// A process hands over the first states that it sees at a point, and later ones ever more rarely:
// the 1st to 32nd, then every one whose number is a power of two. So a loop costs little more than
// a counter, and what it does first, which differs between inputs most, is all there. A state in
// which an assertion fails is always handed over.
#ifndef FATHOM_CAMPAIGN_STATEPASS_H
#define FATHOM_CAMPAIGN_STATEPASS_H

#include "campaign/StatePoints.h"

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// Instruments the program's own functions.
/// \param module  prepared, without promotion of locals (the variables are read from memory).
///                Blocks are split: after instrumentForFuzzing.
/// \returns       the points, by number.
std::vector<StatePoint> sampleStates(llvm::Module &module, const PointChoice &choice);

} // namespace fathom::campaign
#endif
