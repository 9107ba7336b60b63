// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SYNTH_LIKE_H
#define FATHOM_SYNTH_LIKE_H

#include "synth/Grammar.h"
#include "synth/Knobs.h"

#include "support/ControlFlow.h"

namespace fathom::synth {

/// How the grammar came of the program, and what could not be taken over as it is.
struct LikeNotes {
  std::vector<uint32_t> nonterminalOf; ///< by function
  uint64_t dispatchers = 0; ///< nonterminals for indirect calls, which are no functions there
  uint64_t guarded = 0;     ///< calls with a condition that is not there: recursion has to end, and
                            ///< inputs would be too long
  uint64_t labels = 0;      ///< case labels too many for the bytes there are
};

/// The grammar of a program's control flow: functions are nonterminals, branches alternatives,
/// loops linear recursion, calls nonterminals in a rule, and each alternative or loop begins with a
/// token of its own, which makes it LL(1).
///
/// \param knobs  Of them, those that appliesToLike() names.
/// Guarantee:   as of generateGrammar(); reachable from the start symbol is what calls lead to.
/// Determinism: the same program and knobs give the same grammar. Cost: O(size of the program).
/// Source:      [assess25] Sec. III-A, "from control-flow to grammar", Figures 1 and 2. Departs: a
///              conditional takes no token for its second way (F in Figure 2), a loop none for its
///              end; straight-line code stays code instead of becoming tokens. So functions have as
///              many conditions as they have there.
Grammar likeGrammar(const ControlFlow &program, const Knobs &knobs, LikeNotes &notes);

} // namespace fathom::synth
#endif
