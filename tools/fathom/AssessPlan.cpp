// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssessPlan.h"

#include "run/assess/StudyPrograms.h"

#include <fmt/format.h>

namespace fathom::tool {

std::vector<assess::Request> requests(const AssessFlags &flags, const Invocation &invocation) {
  std::vector<assess::Request> all;
  for (unsigned i = 0; i < flags.synth; ++i) {
    assess::Request request;
    request.name = fmt::format("synth-{:0{}}", i + 1, flags.synth < 100 ? 2 : 3);
    request.knobs = flags.knobs;
    request.knobs->seed = flags.seed + i;
    all.push_back(std::move(request));
  }
  for (const std::string &operand : flags.programs) {
    assess::Request &request = all.emplace_back(run::programNamed(operand));
    request.arguments = invocation.arguments;
    request.corpus = flags.corpus;
    orThrow(run::addInput(request, flags.input, "--input"));
  }
  if (!flags.programsFile.empty())
    for (assess::Request &request : orThrow(run::listedPrograms(flags.programsFile)))
      all.push_back(std::move(request));
  return all;
}

assess::Plan planOf(const AssessFlags &flags) {
  assess::Plan plan;
  plan.trials = flags.trials;
  plan.seed = flags.seed;
  if (!campaign::parseUnitLength(flags.unit, plan.unit))
    throw UsageError(fmt::format("--unit {}: expected a time of 100ms or more, or a number of "
                                 "executions, such as 10s or 1000execs",
                                 flags.unit));
  campaign::UnitLength budget;
  if (!campaign::parseUnitLength(flags.budget, budget) ||
      (budget.executions == 0) != (plan.unit.executions == 0))
    throw UsageError(fmt::format("--budget {}: expected {}", flags.budget,
                                 plan.unit.executions
                                     ? "a number of executions, as --unit is, such as 100000execs"
                                     : "a time such as 10m or 24h"));
  const uint64_t units = plan.unit.executions
                             ? budget.executions / plan.unit.executions
                             : static_cast<uint64_t>(budget.time.count() / plan.unit.time.count());
  if (units < 2 || units > 1000000)
    throw UsageError(fmt::format("--budget {} with --unit {} makes {} units; expected 2 to 1000000",
                                 flags.budget, flags.unit, units));
  plan.units = static_cast<uint32_t>(units);
  plan.kind = campaign::kindNamed(flags.of).value_or(plan.kind);
  plan.testTime = flags.testTime, plan.testMemory = flags.testMemory;
  plan.keepQueues = flags.keepQueues;
  if (!flags.sizes.empty()) plan.measure.sizes = flags.sizes;
  if (!flags.levels.empty()) plan.measure.levels = flags.levels;
  plan.measure.points = std::min(flags.points, plan.units);
  plan.measure.replicates = flags.replicates;
  plan.measure.seed = plan.seed;
  if (std::string wrong = plan.measure.validate(plan.units); !wrong.empty())
    throw UsageError(wrong);
  return plan;
}

} // namespace fathom::tool
