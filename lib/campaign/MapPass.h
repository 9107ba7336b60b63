// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instrumentation of the fuzzing variant: counters in AFL++'s shared map, incremented inline,
// one for each branch side of the program's own code under the number that the engine gives it, and
// one for each basic block that no side stands for (MapLayout.h). A counter that wraps around goes
// on at 1, so that it is 0 only when it was never incremented.
//
// A block counts as executed from its first instruction on, also when a call in it does not return.
#ifndef FATHOM_CAMPAIGN_MAPPASS_H
#define FATHOM_CAMPAIGN_MAPPASS_H

#include "campaign/MapLayout.h"

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// `module` has gone through program::prepareModule without a runtime and without promotion of
/// locals. `withUnreachable`: fills in layout.unreachable, the only part that is not linear.
/// `withPaths`: each side of a branch is handed to __fathom_tookSide (runtime/native/states.c).
MapLayout instrumentForFuzzing(llvm::Module &module, bool withUnreachable, bool withPaths = false);

} // namespace fathom::campaign
#endif
