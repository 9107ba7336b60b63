// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an estimator answers: a value, how sure it is, and whether it could answer at all.
//
// A value that could not be estimated is absent, never NaN and never a number that looks like one.
#ifndef FATHOM_ESTIMATE_ESTIMATE_H
#define FATHOM_ESTIMATE_ESTIMATE_H

#include "estimate/Incidence.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace fathom::estimate {

enum class Status {
  Ok,
  Fallback,            ///< the estimate is the observed count; its interval is that of fallbackBand
  BelowObserved,       ///< the formula gave less than was observed; the value is the observed count
  VarianceUnavailable, ///< a value without standard error and interval
  NotEstimable,        ///< no value
  InsufficientUnits,   ///< one sampling unit: the observed count, no standard error
  Capped,              ///< the likelihood grows without bound; the value is the bound that was set
};
/// "ok", "fallback", "below_observed", ...: the words of the JSON form.
const char *statusName(Status status);

struct Interval {
  double lower, upper;
};

/// How an interval at any level comes of what the estimator found out.
class Band {
public:
  /// No interval.
  Band() = default;
  /// Log-normal on the unseen part: [base + T/K, base + T*K], K = exp(z sqrt(log(1 +
  /// variance/T^2))). Source: [chao87]. REQUIRES unseen > 0, variance > 0.
  static Band logNormal(double base, double unseen, double variance);
  /// centre -+ z * se, not below `floor`.
  static Band wald(double centre, double se, double floor);
  /// Quantiles of replicates (linear interpolation, R's type 7).
  static Band percentile(std::vector<double> replicates);
  struct Weighted {
    double value, weight;
  };
  /// Quantiles of a predictive distribution: `outcomes` with their weights (positive, together at
  /// most 1); what is missing from 1 lies at both ends, below `floor` and above `ceiling`, where
  /// intervals end. Quantiles are rounded outwards, and level 0 gives the medians.
  /// `shift`: the odds of an outcome beyond any bound may be so many times as large as the weights
  /// say (Calibration.h); 1 takes them at their word.
  static Band predictive(std::vector<Weighted> outcomes, double floor, double ceiling,
                         double shift = 1);

  /// The same with what is known about the largest possible value: a log-normal interval is that of
  /// the distribution truncated there, others are cut. Source: [eren12].
  Band atMost(double largest) const;

  /// The same, but no interval ends below reach(level), which ascends with the level
  /// (Resampling.h). REQUIRES an interval. What `atMost` says comes first.
  Band reaching(std::function<double(double level)> reach) const;
  /// The same, but each interval holds the value: that of an estimate which equals the observed
  /// count begins above it (fallbackBand). REQUIRES an interval.
  Band holding(double value) const;

  /// The interval of what is larger by a known amount.
  Band shifted(double by) const;

  explicit operator bool() const { return kind_ != Kind::None; }
  /// REQUIRES an interval and 0 < level < 1 (0 too when it is predictive).
  Interval at(double level) const;

private:
  Interval without(double level) const; ///< regardless of `reach_` and `held_`
  enum class Kind { None, LogNormal, Wald, Percentile, Predictive } kind_ = Kind::None;
  double base_ = 0, spread_ = 0, centre_ = 0;
  double largest_ = std::numeric_limits<double>::infinity();
  std::vector<double> replicates_; ///< ascending
  std::vector<Weighted> outcomes_; ///< by ascending value
  double shift_ = 1;
  std::function<double(double)> reach_; ///< none: 0
  std::optional<double> held_;          ///< in each interval
};

struct Estimate {
  Status status = Status::NotEstimable;
  std::optional<double> value; ///< at least the observed count
  /// What the formula gave before it was replaced by the observed count or refused. For studies of
  /// bias, which clipping would change.
  std::optional<double> raw;
  std::optional<double> se;
  Band band;
  std::string reason; ///< one line, when the status is not ok

  std::optional<Interval> interval(double level) const {
    return band ? std::optional(band.at(level)) : std::nullopt;
  }
};

/// Quantile with linear interpolation (R's type 7). REQUIRES ascending, not empty, 0 <= p <= 1.
double quantile(const std::vector<double> &ascending, double p);

// ---- what estimators are built from

/// The interval of an estimate that equals the observed count.
/// Source: SpadeR and iNEXT; the sound form divides by the incidences, which keeps the variance
/// from being negative (Cauchy-Schwarz). The packages divide by the number of units.
enum class FallbackForm { Sound, SpadeR, EstimateS };
/// Sets value, se and band. A variance that is not positive, which only SpadeR's form can have,
/// leaves out se and band; nothing observed is 0 for sure.
void setFallback(Estimate &estimate, const FrequencyCounts &counts,
                 FallbackForm form = FallbackForm::Sound, Status status = Status::Fallback);

/// `raw` as the answer, with its variance and the log-normal interval above the observed count; or
/// the fallback where it equals the observed count (within 5e-6), or is below it.
Estimate logNormalEstimate(const FrequencyCounts &counts, double raw, double variance,
                           FallbackForm form = FallbackForm::Sound);

/// Variance of a smooth function of the counts whose derivative by Q_k is derivative(k), by the
/// multinomial covariance: sum d_k^2 Q_k - (sum d_k Q_k)^2 / total. Over the frequencies up to
/// `cutoff`. Cost: O(distinct frequencies).
template <class Derivative>
double deltaVariance(const FrequencyCounts &counts, double total, Derivative derivative,
                     uint64_t cutoff = ~uint64_t(0)) {
  double squares = 0, sum = 0;
  for (auto [k, count] : counts.frequencies()) {
    if (k > cutoff) break;
    double d = derivative(k), q = static_cast<double>(count);
    squares += d * d * q;
    sum += d * q;
  }
  return squares - sum * sum / total;
}

/// Answers that need no formula, the same for all closed forms: nothing observed (0, for sure), one
/// unit (the observed count without standard error). Nothing for all other data.
std::optional<Estimate> trivialEstimate(const FrequencyCounts &counts);
/// The same for estimators that say nothing from one unit.
std::optional<Estimate> trivialOrNotEstimable(const FrequencyCounts &counts);

Estimate notEstimable(std::string reason, std::optional<double> raw = std::nullopt);

} // namespace fathom::estimate
#endif
