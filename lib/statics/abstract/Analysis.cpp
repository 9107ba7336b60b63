// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Analysis.h"

#include "statics/abstract/Analyser.h"

namespace fathom::statics::abstract {

const char *textOf(Verdict verdict) {
  constexpr const char *kNames[] = {"unreachable", "proved", "alarm", "definite"};
  return kNames[size_t(verdict)];
}

AnalysisResult analyse(const AbstractProgram &program, const AnalysisOptions &options,
                       const BudgetShare &spent) {
  AnalysisResult result;
  result.cells = std::make_unique<Cells>(program);
  result.domain = std::make_unique<Domain>(Domain{*result.cells, options.domain});
  result.checks.resize(program.checks.size());
  result.states.resize(program.functions.size());
  for (const Function &function : program.functions)
    result.reached.emplace_back(function.blocks.size());
  if (options.keepStates)
    for (FunctionId f = 0; f < program.functions.size(); ++f)
      result.states[f].assign(program.functions[f].blocks.size(), State::bottom(*result.domain));
  Analyser(program, options, spent, result).run();
  return result;
}

/// The checks of a group are parts of one assertion, such as a and b in `a && b`. The group is
/// definite if a check that decides it (Check::decidesGroup) is; else an alarm if any of its checks
/// may fail; else proved if one of them is reached, or if control gets past them (Check::after);
/// else unreachable.
std::vector<Verdict> groupVerdicts(const AbstractProgram &program, const AnalysisResult &result) {
  std::vector<Verdict> out(program.groups, Verdict::Unreachable);
  std::vector<bool> isDefinite(program.groups, false), mayFail(program.groups, false);
  for (CheckId id = 0; id < program.checks.size(); ++id) {
    const Check &check = program.checks[id];
    if (check.group == kNoId) continue;
    const Verdict verdict = result.checks[id].verdict;
    if (verdict == Verdict::Unreachable) {
      const bool isPassed = check.after != kNoId && result.reached[check.function][check.after];
      if (isPassed && out[check.group] == Verdict::Unreachable) out[check.group] = Verdict::Proved;
      continue;
    }
    if (out[check.group] == Verdict::Unreachable) out[check.group] = Verdict::Proved;
    if (verdict != Verdict::Proved) mayFail[check.group] = true;
    if (verdict == Verdict::Definite && check.decidesGroup) isDefinite[check.group] = true;
  }
  for (uint32_t g = 0; g < program.groups; ++g) {
    if (mayFail[g]) out[g] = Verdict::Alarm;
    if (isDefinite[g]) out[g] = Verdict::Definite;
  }
  return out;
}

} // namespace fathom::statics::abstract
