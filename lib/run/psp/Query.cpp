// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/Query.h"

#include "run/Failure.h"
#include "run/psp/CampaignSamples.h"
#include "support/SourcePlace.h"

#include <fmt/format.h>

namespace fathom::run {

static llvm::Expected<PointAnswer> ask(const psp::Samples &all, const psp::Condition &condition,
                                       const QueryOptions &options) {
  const std::optional<Projected> projected = project(all, condition);
  if (!projected)
    return usageError(fmt::format("--condition '{}': it has no variable", options.condition));
  PointAnswer out;
  out.answer = psp::satisfiability(
      psp::Model::learn(projected->samples, {}, psp::Forest::shipped()), projected->condition);
  if (const auto *p = std::get_if<psp::ConditionProbability>(&out.answer))
    out.exampleState = stateText(p->witness, projected->samples.names());
  return out;
}

/// The answer of the point that makes the condition the most probable, of all points at the line
/// that have its variables: some input satisfies it at the line if one does at any of them.
static llvm::Expected<PointAnswer> bestAnswer(const CampaignSamples &samples,
                                              const std::vector<uint32_t> &points,
                                              const QueryOptions &options) {
  std::optional<PointAnswer> best;
  std::string problem;
  for (const uint32_t point : points) {
    llvm::Expected<psp::Samples> all = samples.of(point);
    if (!all) return all.takeError();
    const auto parsed = psp::parseCondition(options.condition, *all);
    if (const auto *error = std::get_if<psp::ConditionError>(&parsed)) {
      if (problem.empty()) problem = error->text;
      continue;
    }
    llvm::Expected<PointAnswer> now = ask(*all, std::get<psp::Condition>(parsed), options);
    if (!now) return now.takeError();
    if (!best || now->lower() > best->lower()) best = std::move(*now);
  }
  if (!best) return usageError(fmt::format("--condition '{}': {}", options.condition, problem));
  return std::move(*best);
}

llvm::Expected<PointAnswer> askCampaign(const QueryOptions &options) {
  llvm::Expected<CampaignSamples> samples = CampaignSamples::open(options.campaign);
  if (!samples) return samples.takeError();
  const std::optional<SourcePlace> place = sourcePlaceFrom(options.at);
  if (!place) return usageError(fmt::format("--at {}: expected FILE:LINE", options.at));
  const std::vector<uint32_t> points = samples->at(place->file, place->line);
  if (!points.empty()) return bestAnswer(*samples, points, options);
  llvm::Expected<bool> hasCode = samples->hasCode(place->file, place->line);
  if (!hasCode) return hasCode.takeError();
  return usageError(fmt::format("--at {}: {}", options.at,
                                *hasCode ? "the campaign sampled no states at this line"
                                         : "no code of the program at this line"));
}

} // namespace fathom::run
