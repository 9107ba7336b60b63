// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SYNTH_GENERATE_H
#define FATHOM_SYNTH_GENERATE_H

#include "synth/Grammar.h"
#include "synth/Knobs.h"

namespace fathom::synth {

/// A random grammar. knobs.nonterminals is at least 1; lines and files are not looked at.
///
/// Guarantee:   LL(1); every nonterminal is productive; exactly the nonterminals with `intended`
/// are
///              reachable from the start symbol N0; no left recursion.
/// Determinism: the same knobs give the same grammar. Cost: O(nodes).
/// Source:      [assess25] Sec. III-A, "controlling the program complexity". The paper does not say
///              how its grammars are drawn.
Grammar generateGrammar(const Knobs &knobs);

} // namespace fathom::synth
#endif
