// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspOdds.h"

#include "psp/Satisfiability.h"

#include <tuple>
#include <vector>

namespace fathom::tool {

/// The fuzzed variant and the engine's code come from one module: a branch has the same function,
/// line and column in both.
using Spot = std::tuple<std::string, uint32_t, uint32_t>;

PspOdds::PspOdds(PspSamples samples, const program::Program &program)
    : samples_(std::move(samples)) {
  std::map<Spot, std::vector<uint32_t>> branches, points;
  for (uint32_t id = 0; id < program.ownBranches; id++) {
    const program::Branch &b = program.branches[id];
    const program::Location &where = program.locations[b.location];
    branches[{program.functions[b.function].name, where.line, where.column}].push_back(id);
  }
  for (uint32_t id = 0; id < samples_.points().size(); id++) {
    const campaign::StatePoint &p = samples_.points()[id];
    using enum campaign::PointKind;
    if (!p.condition.empty() && (p.kind == Branch || p.kind == Assertion))
      points[{p.function, p.line, p.column}].push_back(id);
  }
  for (const auto &[spot, ids] : points)
    if (auto at = branches.find(spot);
        at != branches.end() && at->second.size() == 1 && ids.size() == 1)
      pointOf_[at->second[0]] = ids[0];
}

PspOdds::Sides PspOdds::learn(uint32_t point) const {
  Sides sides;
  const std::optional<Projected> projected = samples_.conditionOf(point);
  if (!projected) return sides;
  const std::optional<psp::Model> model =
      psp::Model::learn(projected->samples, psp::Region(), psp::Forest::shipped());
  for (unsigned side : {0u, 1u}) {
    const psp::Satisfiability found =
        psp::satisfiability(model, side ? projected->condition : projected->condition.negation());
    if (const auto *p = std::get_if<psp::ConditionProbability>(&found)) sides[side] = p->lower;
  }
  return sides;
}

std::optional<double> PspOdds::ofSide(uint32_t branchId, uint32_t side) const {
  auto point = pointOf_.find(branchId);
  if (point == pointOf_.end() || side > 1) return std::nullopt;
  auto [it, isNew] = known_.try_emplace(branchId);
  if (isNew) it->second = learn(point->second);
  return it->second[side];
}

} // namespace fathom::tool
