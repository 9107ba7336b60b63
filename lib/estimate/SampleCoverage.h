// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What share of the detection probability has been seen, and what the next units will bring: after
// Good and Turing, from the elements that were covered once and twice.
#ifndef FATHOM_ESTIMATE_SAMPLECOVERAGE_H
#define FATHOM_ESTIMATE_SAMPLECOVERAGE_H

#include "estimate/Incidence.h"

namespace fathom::estimate {

/// Sample coverage after `more` units beyond the observed t: the detection probabilities of the
/// elements seen by then, as a share of those of all. 1 when nothing points to anything unseen
/// (also when there is one singleton and no doubleton), 0 when nothing was covered or there is but
/// one unit. Source: [chaojost12], with the unseen elements estimated by Chao2.
double sampleCoverage(const FrequencyCounts &counts, uint64_t more = 0);

/// New elements expected in the next unit: Q1/t. 0 units: 0.
double discoveryRate(const FrequencyCounts &counts);

/// The missing mass from more than the singletons. Good and Turing's estimate of the expected
/// number of new elements in the next unit is Q1/t; expected counts of higher orders give it as
/// well, by
///   g_k(t) = g_k(t+1) + g_{k+1}(t+1),  E Q_k = C(t,k) g_k(t),
/// so that Q1/t - 2 Q2/(t (t-1)) + ... corrects for the unit that is left out. The combination of
/// Q1 and Q2 with the smallest estimated mean squared error is taken. Source: the identity of
/// [unseen25]; the family and the choice in it are a small form of ours.
struct MissingMass {
  double goodTuring = 0;  ///< Q1/t
  double secondOrder = 0; ///< Q1/t - 2 Q2/(t (t-1))
  double combined = 0;    ///< the one with the smaller estimated mean squared error
};
MissingMass missingMass(const FrequencyCounts &counts);

/// The chance that the next unit covers anything new. Elements come in blocks (one rare input
/// uncovers all of a function), so Q1/t counts too much: what counts is the units that hold a
/// singleton.
struct DiscoveryProbability {
  uint64_t unitsWithSingleton = 0; ///< k
  double estimate = 0;             ///< k/t, at least Laplace's 1/(t+2)
  double upper = 0;                ///< its upper confidence bound (Clopper and Pearson), one-sided
  double blockSize = 0;            ///< Q1/k: elements per discovery; 0 without singletons
};
/// \param level  of the one-sided upper bound.
/// REQUIRES at least one unit. Cost: O(incidences). Assumes exchangeable units: false while the
/// corpus of a greybox fuzzer still grows; see Drift.h.
DiscoveryProbability discoveryProbability(const IncidenceMatrix &matrix, double level);

} // namespace fathom::estimate
#endif
