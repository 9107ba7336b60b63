// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Truth.h"

namespace fathom::synth {

const char *name(Reason reason) {
  switch (reason) {
  case Reason::Reachable: return "reachable";
  case Reason::NotDerivable: return "not-derivable";
  case Reason::OnlyGuarded: return "only-guarded";
  case Reason::Guard: return "guard-never-holds";
  case Reason::DeadBranch: return "dead-branch";
  case Reason::Lookahead: return "lookahead-known";
  case Reason::CannotFail: return "cannot-fail";
  case Reason::Unused: return "unused-helper";
  }
  return "";
}

const char *explain(Reason reason) {
  switch (reason) {
  case Reason::Reachable: return "an input reaches it";
  case Reason::NotDerivable:
    return "no derivation of the start symbol contains the nonterminal of this function";
  case Reason::OnlyGuarded:
    return "the function is called only from behind guards that never hold, or by such functions";
  case Reason::Guard: return "the call is behind a guard that never holds; 'guard' is its line";
  case Reason::DeadBranch: return "the branch is never taken; 'guard' is the line of its condition";
  case Reason::Lookahead:
    return "the next byte was looked at before: only bytes that are right here get this far";
  case Reason::CannotFail: return "the function that is called cannot fail on what can come next";
  case Reason::Unused: return "only unreachable code calls this helper";
  }
  return "";
}

} // namespace fathom::synth
