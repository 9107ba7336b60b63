// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Plots.h"

#include "assess/Pictures.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <cmath>

namespace fathom::assess {

using namespace estimate;

constexpr const char *kColours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                                    "#8c564b", "#17becf", "#e377c2", "#7f7f00", "#0b3d91",
                                    "#d4a017", "#555555", "#00665e", "#a6cee3", "#b2df8a"};
constexpr size_t kEstimators = 0
#define FATHOM_ESTIMATOR(ENUM, KEY, NAME) +1
#include "estimate/Estimators.def"
    ;
static_assert(std::size(kColours) >= kEstimators, "two lines of one colour");

const char *colourOf(size_t estimator) { return kColours[estimator]; }

std::string strokeOf(size_t estimator, double width) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"", colourOf(estimator),
                     width);
}

TimeScale timeScale(const Plan &plan) {
  if (plan.unit.executions) return {static_cast<double>(plan.unit.executions), "executions"};
  const double unit = std::chrono::duration<double>(plan.unit.time).count();
  const double all = unit * plan.units;
  if (all < 300) return {unit, "seconds"};
  if (all < 4 * 3600) return {unit / 60, "minutes"};
  return {unit / 3600, "hours"};
}

std::string percentLabel(double v) { return fmt::format("{:+.0f} %", 100 * v + 0.0); }
std::string numberLabel(double v) {
  return std::fabs(v) < 10 && v != std::floor(v) ? fmt::format("{:.1f}", v) : grouped(v);
}

std::vector<std::pair<std::string, std::string>> plots(const std::vector<ProgramTrials> &programs,
                                                       const Findings &findings, const Plan &plan) {
  std::vector<std::pair<std::string, std::string>> out;
  std::vector<const ProgramFindings *> known;
  std::vector<const ProgramTrials *> knownTrials;
  for (size_t i = 0; i < programs.size(); ++i) {
    if (!programs[i].truth) continue;
    known.push_back(&findings.programs[i]);
    knownTrials.push_back(&programs[i]);
  }
  if (!known.empty()) {
    out.emplace_back("bias.svg",
                     biasSvg(known, knownTrials,
                             "mean bias over time, mean over " + counted(known.size(), "program"),
                             plan));
    out.emplace_back("coverage.svg", coverageSvg(findings));
  }
  for (size_t i = 0; i < programs.size(); ++i) {
    const ProgramTrials &program = programs[i];
    if (program.truth)
      out.emplace_back(program.name + "-bias.svg",
                       biasSvg({&findings.programs[i]}, {&program},
                               fmt::format("{}: mean bias over time, {}", program.name,
                                           counted(program.trials.size(), "trial")),
                               plan));
    out.emplace_back(program.name + "-unit-sizes.svg", unitSizesSvg(program, plan));
    out.emplace_back(program.name + "-accumulation.svg", accumulationSvg(program, plan));
  }
  return out;
}

} // namespace fathom::assess
