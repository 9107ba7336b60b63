// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program state probability at one point: the probability that some input makes the program reach
// the point in a given state ([psp23] Def. 1, Eq. 2 and 3).
//
//   std::optional<Model> model = Model::learn(samples.project(variables), region, forest);
//   if (!model) ...                       // the campaign never came here: there is no estimate
//   model->at(State::of({3, 19}))         // 0.27, Source::Forest
//
// Learn from samples projected on the variables that matter: with every further variable a
// neighbourhood gets emptier and diffusion slower.
#ifndef FATHOM_PSP_MODEL_H
#define FATHOM_PSP_MODEL_H

#include "psp/Density.h"
#include "psp/Diffusion.h"
#include "psp/Supervised.h"

#include <memory>

namespace fathom::psp {

/// What answers where samples are sparse: M_s-bar.
enum class Sparse : uint8_t { Diffusion, Density };

struct ModelOptions {
  int64_t neighbourhood = 20; ///< k_s; at most the forest's k
  uint64_t dense = 100;       ///< u: samples with multiplicities from which the forest answers
  bool hasForest = true;      ///< false: the sparse model answers everywhere (Sec. VI-E)
  Combine combine = Combine::Mean;
  Sparse sparse = Sparse::Diffusion;
  DiffusionOptions diffusion; ///< its radius is k of M_s-bar
  double bandwidth = 1;
  double epsilon = 1e-6; ///< estimates are in [epsilon, 1 - epsilon] (Sec. IV-A)
};

/// Where a probability comes from. Seen and Outside are certain, the others are estimates.
enum class Source : uint8_t { Seen, Outside, Forest, Diffusion, Density };
const char *textOf(Source source);

struct StateProbability {
  double probability = 0;
  Source source = Source::Outside;
};

/// Keeps an estimate away from what only observation can say: [epsilon, 1 - epsilon].
double clampEstimate(double probability, double epsilon);

class Model {
public:
  /// Absent: there are no samples, so nothing is known about the point; that is not probability 0.
  /// \param region  A_f, by the samples' ids; the default admits everything.
  /// \param forest  lives as long as the model.
  static std::optional<Model> learn(Samples samples, Region region, const Forest &forest,
                                    const ModelOptions &options = {});

  /// Eq. 2, before the clamp: 1 if seen, 0 outside A_f, else r(sigma, Fuzz) of Eq. 3.
  StateProbability at(const State &state) const;
  const Samples &samples() const { return *samples_; }
  const Region &region() const { return *region_; }
  const Neighbourhood &near() const { return *near_; }
  const ModelOptions &options() const { return options_; }
  /// States further than this from all samples, in some variable, have probability 0.
  int64_t reach() const;

private:
  Model(Samples samples, Region region, const Forest &forest, const ModelOptions &options);
  const Diffusion &diffusion() const;

  // On the heap, since the parts refer to each other and a model can be moved.
  std::unique_ptr<const Samples> samples_;
  std::unique_ptr<const Region> region_;
  std::unique_ptr<const Neighbourhood> near_;
  std::unique_ptr<const psp::Density> density_;
  mutable std::unique_ptr<const psp::Diffusion> diffusion_; ///< made when first asked
  const Forest *forest_;
  ModelOptions options_;
};

} // namespace fathom::psp
#endif
