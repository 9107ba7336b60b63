// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract interpretation of a whole program: for every check, whether it can fail.
//
// Each function is a fixpoint over its weak topological order: components are repeated until their
// head's state is stable, first joining, then widening with thresholds, then narrowing for a few
// rounds that are kept only if they are stable themselves. A call analyses the callee in the
// caller's state (inlining by call string) where that costs little (CallPlan.h), up to `mostCalls`
// nested calls and not in recursion. All other calls of a function share one analysis of it: its
// entry is the join of their states, of which only what the callee can touch goes in and comes
// back. These analyses are repeated until none of them grows any more.
//
// When the budget ends before that, nothing found so far need be right. Then each function is
// analysed once on its own, for any state and arguments, as far as the rest of the budget goes.
//
// Verdicts are collected after the fixpoint, over all contexts in which a check was analysed:
//   proved       it holds in every execution that gets there
//   definite     it fails in every execution that gets there
//   alarm        neither was shown; the states in which it may fail come along
//   unreachable  no execution gets there
// Executions are those in which no earlier check failed. What that covers: docs/scan.md.
//
// Source: P. Cousot, R. Cousot, [abstract77]; iteration [wto93] Sec. 5; the set A_f of [psp23]
// Sec. III-A is the union of `states`.
#ifndef FATHOM_STATICS_ABSTRACT_ANALYSIS_H
#define FATHOM_STATICS_ABSTRACT_ANALYSIS_H

#include "statics/abstract/Memory.h"
#include "statics/abstract/State.h"

#include <functional>
#include <map>
#include <memory>

namespace fathom::statics::abstract {

enum class Verdict : uint8_t { Unreachable, Proved, Alarm, Definite };
const char *textOf(Verdict verdict);

struct AnalysisOptions {
  DomainKind domain = DomainKind::Zones;
  unsigned mostCalls = 4;            ///< nested calls that are analysed in their caller's state
  uint64_t mostStatements = 300'000; ///< of calls in their callers' states, about
  unsigned joinsBeforeWidening = 3;
  unsigned narrowings = 2;
  unsigned mostParts = 16;            ///< states of different ways to a place, kept apart
  unsigned mostUnrolled = 130;        ///< rounds of a loop that are run one by one
  uint64_t mostBlocksApart = 120'000; ///< block runs that both may cost in a small program, about
  bool keepStates = false;            ///< of every block; else only of alarms
};

struct CheckResult {
  Verdict verdict = Verdict::Unreachable;
  std::optional<State> state; ///< Alarm, Definite: the states in which it may fail, joined
  /// One end of an access: what it writes to, or all there is; of a copy also what it reads from.
  struct End {
    Verdict verdict = Verdict::Unreachable; ///< of this end alone
    /// In one of the states in which it fails, its address is known to be that of some objects, so
    /// that the alarm says more than that nothing is known.
    bool hasObjects = false;
    bool byNullAlone = false; ///< in all of these states, it fails only if its address is null
  };
  End end, source;
};

struct AnalysisResult {
  std::vector<CheckResult> checks; ///< by CheckId
  /// By function and block: at its start. What is found of copies is told with their original.
  std::vector<std::vector<State>> states;
  std::vector<std::vector<bool>> reached; ///< by function and block, the same
  std::unique_ptr<Cells> cells;           ///< the states refer to it
  std::unique_ptr<Domain> domain;
  uint64_t statements = 0;        ///< abstract executions
  uint64_t callsShared = 0;       ///< call sites that share one analysis of the callee, by context
  uint64_t functionsAnalysed = 0; ///< of a partial result: in all states, each on its own
  bool followsAll = true;         ///< every call was analysed in its caller's state, but recursion
  bool isPartial = false;         ///< the budget ended: what is not analysed is an alarm
};

/// How much of the budget is used up: 0 to 1, and more when it is over.
using BudgetShare = std::function<double()>;

/// Guarantee: over-approximates (State.h says what it assumes), also when the budget ends early.
/// Determinism: the same program and options give the same result, unless the budget ends it.
AnalysisResult analyse(const AbstractProgram &program, const AnalysisOptions &options,
                       const BudgetShare &spent = {});

/// The verdict of each assertion: its check's, or what the checks of its group say together.
std::vector<Verdict> groupVerdicts(const AbstractProgram &program, const AnalysisResult &result);

} // namespace fathom::statics::abstract
#endif
