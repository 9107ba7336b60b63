// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Convergence.h"

#include "Command.h"

#include "psp/Hellinger.h"

#include <fmt/format.h>

#include <fstream>

namespace fathom::tool {

Convergence::Convergence(const std::vector<campaign::StatePoint> &points, double limit,
                         std::string file)
    : limit_(limit), file_(std::move(file)) {
  for (const campaign::StatePoint &p : points) {
    psp::Samples names;
    for (const std::string &name : p.variables) names.variable(name);
    Point point;
    if (!p.condition.empty()) {
      const auto parsed = psp::parseCondition(p.condition, names);
      if (const auto *condition = std::get_if<psp::Condition>(&parsed))
        point.variables = condition->variables();
    }
    points_.push_back(std::move(point));
    empty_.push_back(std::move(names));
  }
  std::ofstream out(file_);
  if (!(out << "executions,points,distance\n"))
    throw UsageError(fmt::format("--until-stable: {} cannot be written", file_));
}

bool Convergence::add(const campaign::StateSamples &samples, uint64_t executions) {
  std::vector<psp::Samples> now = empty_;
  for (const campaign::SampledState &s : samples.states) {
    if (points_[s.point].variables.empty()) continue;
    psp::State state;
    for (psp::VariableId v = 0; v < s.values.size(); ++v) state.set(v, s.values[v]);
    now[s.point].add(state, s.count);
  }
  double sum = 0;
  uint64_t reached = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    Point &point = points_[i];
    if (point.variables.empty()) continue;
    psp::Samples projected = now[i].project(point.variables);
    if (projected.isEmpty()) continue;
    ++reached;
    sum += psp::modelDistance(point.before, projected, psp::Forest::shipped());
    point.before = std::move(projected);
  }
  const double distance = reached ? sum / static_cast<double>(reached) : 1;
  std::ofstream(file_, std::ios::app)
      << fmt::format("{},{},{:.6f}\n", executions, reached, distance);
  stable_ = distance < limit_ ? stable_ + 1 : 0;
  return stable_ >= kStable;
}

} // namespace fathom::tool
