// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a generated program can be reached, and why the rest cannot.
#ifndef FATHOM_SYNTH_TRUTH_H
#define FATHOM_SYNTH_TRUTH_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::synth {

/// Why something is unreachable.
enum class Reason : uint8_t {
  Reachable,    ///< an input reaches it
  NotDerivable, ///< its nonterminal does not follow from the start symbol
  OnlyGuarded,  ///< ... and would, if the guards of some calls could hold
  Guard,        ///< a call behind a guard that never holds
  DeadBranch,   ///< a branch that is never taken
  Lookahead,    ///< the parser has looked at the next byte before it gets here
  CannotFail,   ///< the function that was called cannot fail here
  Unused,       ///< a helper of which only unreachable code has need
};
constexpr Reason kReasons[] = {Reason::NotDerivable, Reason::OnlyGuarded, Reason::Guard,
                               Reason::DeadBranch,   Reason::Lookahead,   Reason::CannotFail,
                               Reason::Unused};
/// As in truth.json: "not-derivable" ...
const char *name(Reason reason);
/// A sentence for people.
const char *explain(Reason reason);

/// A place. `file` is an index into Program::files.
struct Place {
  uint32_t file = 0, line = 0;
};

struct FunctionTruth {
  std::string name;
  Place at;
  uint32_t lines = 0;
  /// Cyclomatic complexity (McCabe): 1 + conditions of if and while + case labels.
  uint32_t complexity = 1;
  Reason reason = Reason::Reachable;
};

/// One statement, alone on its line; a condition counts as one.
struct StatementTruth {
  Place at;
  Reason reason = Reason::Reachable;
  uint32_t guard = 0; ///< the line of the guard, for Guard and DeadBranch
};

/// One way out of a condition.
struct BranchTruth {
  Place at;
  const char *outcome = ""; ///< "true", "false"; of a switch "case", "default", at their labels
  Reason reason = Reason::Reachable;
  uint32_t guard = 0;
};

struct Truth {
  std::vector<FunctionTruth> functions;
  std::vector<StatementTruth> statements;
  std::vector<BranchTruth> branches;
};

} // namespace fathom::synth
#endif
