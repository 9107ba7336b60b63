// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/CampaignOdds.h"

#include "explore/Results.h"
#include "psp/Satisfiability.h"

#include <tuple>
#include <vector>

namespace fathom::run {

/// The fuzzed variant and the engine's code come from one module: a branch has the same function,
/// line and column in both.
using Spot = std::tuple<std::string, uint32_t, uint32_t>;

llvm::Expected<std::shared_ptr<CampaignOdds>> CampaignOdds::make(CampaignSamples samples,
                                                                 const program::Program &program) {
  auto edges = samples.paths();
  if (!edges) return edges.takeError();
  return std::shared_ptr<CampaignOdds>(
      new CampaignOdds(std::move(samples), std::move(*edges), program));
}

CampaignOdds::CampaignOdds(CampaignSamples samples, std::optional<std::vector<psp::PathEdge>> edges,
                           const program::Program &program)
    : samples_(std::move(samples)) {
  if (edges) {
    for (psp::PathEdge &e : *edges) e.after = explore::traceStep(e.before, e.branch, e.side);
    paths_ = std::make_unique<const psp::Paths>(std::move(*edges), explore::kTraceSeed);
  }
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

CampaignOdds::Sides CampaignOdds::learn(uint32_t point) const {
  Sides sides;
  llvm::Expected<std::optional<Projected>> found = samples_.conditionOf(point);
  if (!found) {
    damage_ = llvm::toString(found.takeError());
    return sides;
  }
  const std::optional<Projected> projected = std::move(*found);
  if (!projected) return sides;
  const std::optional<psp::Model> model =
      psp::Model::learn(projected->samples, psp::Region(), psp::Forest::shipped());
  for (unsigned side : {0u, 1u}) {
    const psp::Satisfiability satisfied =
        psp::satisfiability(model, side ? projected->condition : projected->condition.negation());
    if (const auto *p = std::get_if<psp::ConditionProbability>(&satisfied)) sides[side] = p->lower;
  }
  return sides;
}

void CampaignOdds::took(std::vector<uint64_t> &path, uint32_t branchId, uint32_t side) const {
  const uint32_t group = paths_ ? paths_->groupOf(branchId) : psp::Paths::kNoGroup;
  if (group == psp::Paths::kNoGroup) return;
  if (path.empty()) path.assign(paths_->groups(), psp::Paths::kNoClauses);
  path[group] = psp::Paths::extended(path[group], branchId, side);
}

std::optional<double> CampaignOdds::ofSide(uint32_t branchId, uint32_t side,
                                           std::span<const uint64_t> path) const {
  if (paths_) {
    const uint32_t group = paths_->groupOf(branchId);
    if (group == psp::Paths::kNoGroup) return std::nullopt;
    return paths_->ofSide(branchId, side, path.empty() ? psp::Paths::kNoClauses : path[group]);
  }
  auto point = pointOf_.find(branchId);
  if (point == pointOf_.end() || side > 1) return std::nullopt;
  auto [it, isNew] = known_.try_emplace(branchId);
  if (isNew) it->second = learn(point->second);
  return it->second[side];
}

} // namespace fathom::run
