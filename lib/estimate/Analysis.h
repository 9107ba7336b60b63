// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that `fathom estimate` says about one campaign: all estimators, sorted by how far they
// can be trusted here, and what goes with them.
#ifndef FATHOM_ESTIMATE_ANALYSIS_H
#define FATHOM_ESTIMATE_ANALYSIS_H

#include "estimate/Accumulation.h"
#include "estimate/Accuracy.h"
#include "estimate/CoverageRate.h"
#include "estimate/Doubling.h"
#include "estimate/Drift.h"
#include "estimate/Estimators.h"
#include "estimate/Resampling.h"
#include "estimate/SampleCoverage.h"
#include "estimate/Trust.h"
#include "estimate/UnitSeries.h"

namespace fathom::estimate {

struct AnalysisOptions {
  std::vector<double> levels{0.90,
                             0.95}; ///< of intervals; the first is the one in tables and plots
  uint64_t ahead = 0;               ///< units to look ahead; 0: as many as there were
  uint64_t stopWindow = 3;          ///< units in a row for which the stop rule has to hold
  unsigned curveReplicates = 50;
  unsigned curvePoints = 41; ///< from 0 to t and again from t to 2 t; 0: no curve
  EstimateOptions estimators;
  /// "" or which option is wrong and what would be right.
  std::string validate(const FrequencyCounts &counts) const;
};

struct TrustedEstimate {
  NamedEstimate named;
  Trust trust = Trust::None;
  std::string remark; ///< why it is not better trusted, or what kind of answer it is; may be ""
  /// With the standard error that takes the elements of a block for one (designEffect), no interval
  /// narrower than the units support (Resampling.h), and none beyond the elements that there are;
  /// as `named` where there is no matrix.
  Estimate widened;
  /// The same estimator on units twice and four times as long: its answer should not depend on
  /// that. Those that leave ten units and more; none where it is not trusted anyway.
  struct Regrouping {
    uint32_t r;
    Estimate estimate;
    std::optional<Agreement> agreement; ///< with the estimate of the units as they are
  };
  std::vector<Regrouping> regroupings;
};

/// What only the matrix tells.
struct UnitAnalysis {
  UnitSeries series;
  StopRule stop;
  DiscoveryProbability discovery;
  double designEffect = 1;
  Reach reach;
  std::optional<double> executions; ///< of all units, where it is known
  uint64_t listed = 0;  ///< rows of the matrix, those of elements never covered included
  uint64_t classes = 0; ///< different rows
  Estimate blocks;      ///< blockChao2
  std::optional<DriftTest> drift;
  bool drifts() const { return drift && drift->comparison.p < 0.05; }
  struct Reset {
    uint32_t from;
    Estimate estimate;
  };
  std::vector<Reset> resets; ///< of windows with the last half, quarter, ... of the units
};

/// What the estimators that are better than poor say, none beyond the elements that there are.
struct EstimateSpread {
  Interval ofRarity{}; ///< from the least to the largest of the twelve; of none: {0, 0}
  size_t rarities = 0; ///< so many of them
  std::optional<double> ofPrograms; ///< Analysis::measured()
  /// No value of the twelve lies in the interval of measured(): two answers, and nothing says which
  /// is wrong.
  bool isContradicted = false;
  /// Two of the twelve have intervals that do not meet.
  bool isDisputed = false;
  Interval values() const; ///< of all of them
  size_t count() const { return rarities + (ofPrograms ? 1 : 0); }
};

struct Analysis {
  AnalysisOptions options;
  FrequencyCounts counts;
  /// That there are, reachable or not. `atMost`: it is known for sure; `elements`: that, or as many
  /// as the matrix lists.
  std::optional<double> atMost, elements;
  std::optional<Listing> listing;         ///< as in the data
  std::vector<TrustedEstimate> estimates; ///< the answer (best), then by trust
  double sampleCoverage = 0, discoveryRate = 0;
  double variation =
      0; ///< of the infrequent elements' detection probabilities (infrequentVariation)
  MissingMass missingMass;
  bool singletonsAtMostDoubletons = false;
  uint64_t ahead = 0;
  Estimate expectedNew;     ///< in the next `ahead` units
  std::optional<Gain> gain; ///< of as many units again; too few units: nothing
  std::optional<double> unitsTo95,
      unitsTo99; ///< more units until that share of Chao2's estimate is covered
  std::optional<RateTrend> trend;
  std::vector<CurvePoint> curve;
  std::optional<UnitAnalysis> units;

  /// What stands first in the table; null when there is none: what was measured, where it has a
  /// value that is not poor, and otherwise the most trusted one. So it does not go from one
  /// estimator to another and back because two of them are trusted nearly alike.
  const TrustedEstimate *best() const;
  /// The calibrated estimate; where there is none that is better than poor, the constant share.
  /// Null where that is not, either: nothing says how many elements there are.
  const TrustedEstimate *measured() const;
  /// What can be said at any time without choosing between estimators, and moves smoothly while the
  /// campaign does: from what rarity alone says (Chao2-bc, a lower bound) to the upper end of the
  /// constant share's interval at the first level. Nothing where the number of elements is not
  /// known.
  std::optional<Interval> room() const;
  /// Its value, but no more than there are.
  std::optional<double> bestValue() const;
  /// Nothing where no estimator is better than poor.
  std::optional<EstimateSpread> spread() const;
  /// Everything that there is is covered, whatever estimators say.
  bool allCovered() const { return atMost && static_cast<double>(counts.observed()) >= *atMost; }
  const TrustedEstimate &of(Estimator estimator) const;
};

/// The estimate with the standard error that takes the elements of a block for one: `designEffect`
/// of Blocks.h; what needs no widening stays as it is. No interval ends beyond `atMost`.
Estimate widenedFor(const NamedEstimate &named, double observed, double designEffect,
                    std::optional<double> atMost);

/// Lets intervals go as far up as the units demand, but for those whose errors were measured.
void extend(Estimate &estimate, Estimator estimator, const Reach &reach);

/// REQUIRES options.validate(data.counts) == "". Determinism: by options.estimators.seed.
Analysis analyse(const Incidence &data, const AnalysisOptions &options = {});

} // namespace fathom::estimate
#endif
