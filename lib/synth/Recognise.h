// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the printed parser does on an input, without compiling it.
#ifndef FATHOM_SYNTH_RECOGNISE_H
#define FATHOM_SYNTH_RECOGNISE_H

#include "synth/Grammar.h"

#include <string_view>
#include <vector>

namespace fathom::synth {

/// What inputs have covered.
struct Covered {
  explicit Covered(const Grammar &g) : outcomes(g.nodes.size()), labels(g.nodes.size()) {}
  std::vector<uint8_t> outcomes; ///< by node; see Outcome
  std::vector<Lookahead> labels; ///< by Choice that is a switch: the cases that were taken
};

/// Runs the parser on `input` and adds what it covers. Returns whether the input is accepted.
/// Cost: O(length) steps; the stack grows with the nesting of the input, which the grammar bounds.
bool recognise(const Grammar &grammar, std::string_view input, Covered &covered);

} // namespace fathom::synth
#endif
