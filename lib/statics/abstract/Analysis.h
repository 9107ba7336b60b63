// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract interpretation of a whole program: for every check, whether it can fail.
//
// Each function is a fixpoint over its weak topological order: components are repeated until their
// head's state is stable, first joining, then widening with thresholds, then narrowing for a few
// rounds that are kept only if they are stable themselves. A call analyses the callee in the
// caller's state (inlining by call string); below `mostCalls` nested calls, in recursion, and when
// the budget is spent, a call loses what the callee and everything outside may change, and the
// callee is analysed once more on its own, for any state and arguments.
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
  uint64_t mostStatements = 300'000; ///< beyond that calls are not followed any more
  unsigned joinsBeforeWidening = 3;
  unsigned narrowings = 2;
  bool keepStates = false; ///< of every block; else only of alarms
};

struct CheckResult {
  Verdict verdict = Verdict::Unreachable;
  std::optional<State> state; ///< Alarm, Definite: the states in which it may fail, joined
};

struct AnalysisResult {
  std::vector<CheckResult> checks;        ///< by CheckId
  std::vector<std::vector<State>> states; ///< by function and block: at its start
  std::vector<std::vector<bool>> reached; ///< by function and block
  std::unique_ptr<Cells> cells;           ///< the states refer to it
  std::unique_ptr<Domain> domain;
  uint64_t statements = 0, callsNotFollowed = 0; ///< abstract executions; counted once each
  bool budgetSpent = false;
};

/// Guarantee: over-approximates (State.h says what it assumes). Determinism: the same program and
/// options give the same result.
AnalysisResult analyse(const AbstractProgram &program, const AnalysisOptions &options,
                       const std::function<bool()> &stop = {});

/// The verdict of each assertion: its check's, or what the checks of its group say together.
std::vector<Verdict> groupVerdicts(const AbstractProgram &program, const AnalysisResult &result);

} // namespace fathom::statics::abstract
#endif
