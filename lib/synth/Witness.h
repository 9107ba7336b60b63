// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SYNTH_WITNESS_H
#define FATHOM_SYNTH_WITNESS_H

#include "synth/Derive.h"
#include "synth/Recognise.h"

#include <string>
#include <vector>

namespace fathom::synth {

/// Inputs that together cover everything that is reachable.
struct Witnesses {
  std::vector<std::string> accepted; ///< derivations
  std::vector<std::string>
      rejected;               ///< derivations with a wrong token, truncated, or with trailing bytes
  std::vector<NodeId> missed; ///< nodes with an outcome that none of them has: our bug
};

/// One input for each outcome that those before it did not have.
///
/// \param covered  What they cover, each run on the grammar (not on what analyseReach says).
/// Cost: an input for each place where something is rejected, a few hundred bytes each.
Witnesses makeWitnesses(const Grammar &grammar, const Reach &reach, Covered &covered);

} // namespace fathom::synth
#endif
