// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probability that some input satisfies a condition at a point ([psp23] Sec. III-C): Eq. 6, 7
// and 8 over the states Sigma_C that satisfy it.
//
// Only states near samples have a probability other than 0. Boxes of states are split in halves;
// one is dropped as soon as interval arithmetic shows that the condition fails in all of it, or no
// sample is near. When more states are left than may be looked at one by one, those of the boxes
// that are left are sampled.
#ifndef FATHOM_PSP_SATISFIABILITY_H
#define FATHOM_PSP_SATISFIABILITY_H

#include "psp/Condition.h"
#include "psp/Model.h"

#include <variant>

namespace fathom::psp {

struct SatisfiabilityOptions {
  uint64_t mostStates = 50'000; ///< looked at one by one
  uint64_t mostBoxes = 200'000; ///< looked at, of any size
  uint64_t draws = 20'000;      ///< where states are sampled
  uint64_t seed = 1;
};

/// Why there is no probability. That is no number, and not 0.
enum class NoEstimate : uint8_t {
  NeverReached,   ///< the campaign has no sample of the point (or of C', in a conjunction)
  NotExpressible, ///< the condition has no variable that was sampled
};
const char *textOf(NoEstimate reason);

/// P(I_C). A probability of 1 was observed; estimates are in [epsilon, 1 - epsilon].
struct ConditionProbability {
  double lower = 0;                ///< Eq. 6: the most probable state. What decides, by default
  double upper = 0;                ///< Eq. 7: the sum, at most 1
  double independent = 0;          ///< Eq. 8: as if states were independent
  bool isSeen = false;             ///< the campaign saw a state that satisfies C
  State witness;                   ///< a most probable state; empty: none has a probability above 0
  Source source = Source::Outside; ///< of the witness
  uint64_t states = 0;             ///< looked at
  bool isSampled = false;          ///< not all were looked at; lower is then a lower bound of Eq. 6
  /// Sampled: 1.96 standard errors of the sum and of independent, before they are cut at 1.
  double upperError = 0, independentError = 0;
};
using Satisfiability = std::variant<NoEstimate, ConditionProbability>;

/// \param model      absent: NeverReached.
/// \param condition  over the model's variables.
/// Determinism: the same arguments give the same result.
Satisfiability satisfiability(const std::optional<Model> &model, const Condition &condition,
                              const SatisfiabilityOptions &options = {});

/// P(C1 and ... and Cn) = P(C1) P(C2 | C1) ... ([psp23] Sec. IV-B). P(C | C') is Eq. 6 in a model
/// of Fuzz', the samples that satisfy C', with A_f cut by C'. Returns the product; NeverReached
/// when no sample satisfies all but the last. Departs: Fuzz' is filtered by the values of states,
/// not by the paths that led to them.
std::variant<NoEstimate, double> conjunction(const Samples &samples, const Region &region,
                                             const Forest &forest,
                                             std::span<const Condition> clauses,
                                             const ModelOptions &modelOptions = {},
                                             const SatisfiabilityOptions &options = {});

} // namespace fathom::psp
#endif
