// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Model.h"

#include <algorithm>
#include <cmath>

namespace fathom::psp {

const char *textOf(Source source) {
  switch (source) {
  case Source::Seen: return "seen";
  case Source::Outside: return "outside";
  case Source::Forest: return "forest";
  case Source::Diffusion: return "diffusion";
  case Source::Density: return "density";
  }
  return "";
}

double clampEstimate(double probability, double epsilon) {
  return std::clamp(probability, epsilon, 1 - epsilon);
}

Model::Model(Samples samples, Region region, const Forest &forest, const ModelOptions &options)
    : samples_(std::make_unique<Samples>(std::move(samples))),
      region_(std::make_unique<Region>(std::move(region))),
      near_(std::make_unique<Neighbourhood>(*samples_)),
      density_(std::make_unique<psp::Density>(*samples_, options.bandwidth)), forest_(&forest),
      options_(options) {}

std::optional<Model> Model::learn(Samples samples, Region region, const Forest &forest,
                                  const ModelOptions &options) {
  if (samples.isEmpty()) return std::nullopt;
  return Model(std::move(samples), std::move(region), forest, options);
}

const psp::Diffusion &Model::diffusion() const {
  if (!diffusion_)
    diffusion_ = std::make_unique<psp::Diffusion>(
        *samples_, *region_, static_cast<unsigned>(samples_->names().size()), options_.diffusion);
  return *diffusion_;
}

StateProbability Model::at(const State &state) const {
  if (samples_->contains(state)) return {1, Source::Seen};
  if (!region_->contains(state)) return {0, Source::Outside};
  const bool isDense =
      options_.hasForest && near_->size(state, static_cast<double>(options_.neighbourhood),
                                        options_.dense) >= options_.dense;
  if (isDense)
    return {supervised(*forest_, *near_, state, options_.neighbourhood, options_.combine),
            Source::Forest};
  if (options_.sparse == Sparse::Density) return {density_->probability(state), Source::Density};
  return {diffusion().probability(state), Source::Diffusion};
}

int64_t Model::reach() const {
  // Beyond nine bandwidths the kernel is below 1e-17.
  const int64_t sparse = options_.sparse == Sparse::Density
                             ? static_cast<int64_t>(std::ceil(9 * options_.bandwidth))
                             : options_.diffusion.radius;
  return std::max(sparse, options_.neighbourhood);
}

} // namespace fathom::psp
