// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Estimate.h"

#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

const char *statusName(Status status) {
  switch (status) {
  case Status::Ok: return "ok";
  case Status::Fallback: return "fallback";
  case Status::BelowObserved: return "below_observed";
  case Status::VarianceUnavailable: return "variance_unavailable";
  case Status::NotEstimable: return "not_estimable";
  case Status::InsufficientUnits: return "insufficient_units";
  case Status::Capped: return "capped";
  }
  return "";
}

Band Band::logNormal(double base, double unseen, double variance) {
  assert(unseen > 0 && variance > 0 && "a log-normal needs a positive mean and variance");
  Band band;
  band.kind_ = Kind::LogNormal;
  band.base_ = base;
  band.centre_ = unseen;
  band.spread_ = std::sqrt(std::log1p(variance / (unseen * unseen)));
  return band;
}

Band Band::wald(double centre, double se, double floor) {
  Band band;
  band.kind_ = Kind::Wald;
  band.base_ = floor;
  band.centre_ = centre;
  band.spread_ = se;
  return band;
}

Band Band::percentile(std::vector<double> replicates) {
  Band band;
  if (replicates.empty()) return band;
  band.kind_ = Kind::Percentile;
  std::sort(replicates.begin(), replicates.end());
  band.replicates_ = std::move(replicates);
  return band;
}

Band Band::predictive(std::vector<Weighted> outcomes, double floor, double ceiling, double shift) {
  Band band;
  band.kind_ = Kind::Predictive;
  band.base_ = floor;
  band.largest_ = ceiling;
  band.shift_ = shift;
  std::sort(outcomes.begin(), outcomes.end(),
            [](const Weighted &a, const Weighted &b) { return a.value < b.value; });
  band.outcomes_ = std::move(outcomes);
  return band;
}

/// The end of a predictive interval with `tail` beyond it, coming from outside: what lies beyond
/// the outcomes is met first.
template <class Iterator>
static double predictiveEnd(Iterator from, const Iterator &to, double outside, double tail,
                            double end) {
  double beyond = outside;
  for (; beyond <= tail && from != to; ++from) {
    end = from->value;
    beyond += from->weight;
  }
  return end;
}

Band Band::atMost(double largest) const {
  Band band = *this;
  band.largest_ = std::min(largest, largest_);
  return band;
}

Band Band::reaching(std::function<double(double level)> reach) const {
  assert(kind_ != Kind::None && "an interval");
  Band band = *this;
  band.reach_ = std::move(reach);
  return band;
}

Band Band::shifted(double by) const {
  Band band = *this;
  if (reach_) band.reach_ = [reach = reach_, by](double level) { return reach(level) + by; };
  band.base_ += by;
  band.largest_ += by;
  if (kind_ == Kind::Wald) band.centre_ += by;
  for (double &r : band.replicates_) r += by;
  for (Weighted &o : band.outcomes_) o.value += by;
  if (held_) *band.held_ += by;
  return band;
}

Band Band::holding(double value) const {
  assert(kind_ != Kind::None && "an interval");
  Band band = *this;
  band.held_ = value;
  return band;
}

Interval Band::at(double level) const {
  Interval interval = without(level);
  if (reach_) interval.upper = std::max(interval.upper, std::min(largest_, reach_(level)));
  if (held_) interval = {std::min(interval.lower, *held_), std::max(interval.upper, *held_)};
  return interval;
}

Interval Band::without(double level) const {
  assert(kind_ != Kind::None && "an interval");
  double tail = (1 - level) / 2;
  switch (kind_) {
  case Kind::None: break;
  case Kind::LogNormal: {
    double z = normalCriticalValue(level), low = -z, high = z;
    if (std::isfinite(largest_)) {
      // Quantiles of the normal distribution below the point that the bound corresponds to.
      if (largest_ <= base_) return {base_, base_};
      double below = normalCdf((std::log(largest_ - base_) - std::log(centre_)) / spread_);
      low = normalQuantile(below * tail);
      high = normalQuantile(below * (1 - tail));
      if (!std::isfinite(low)) return {base_, largest_}; // the estimate is far above the bound
    }
    return {base_ + centre_ * std::exp(spread_ * low),
            std::min(largest_, base_ + centre_ * std::exp(spread_ * high))};
  }
  case Kind::Wald: {
    double half = normalCriticalValue(level) * spread_;
    double lower = std::max(base_, centre_ - half);
    return {std::min(lower, largest_), std::min(largest_, centre_ + half)};
  }
  case Kind::Percentile:
    return {std::min(largest_, quantile(replicates_, tail)),
            std::min(largest_, quantile(replicates_, 1 - tail))};
  case Kind::Predictive: {
    // A miss whose odds are `shift` times those of the weights is to have those of the level.
    double miss = 1 - level, outside = 1;
    tail = miss / (miss + shift_ * level) / 2;
    for (const Weighted &o : outcomes_) outside -= o.weight;
    double lower = predictiveEnd(outcomes_.begin(), outcomes_.end(), outside, tail, base_);
    double upper = predictiveEnd(outcomes_.rbegin(), outcomes_.rend(), outside, tail, largest_);
    return {std::min(lower, largest_), std::min(upper, largest_)};
  }
  }
  return {0, 0};
}

double quantile(const std::vector<double> &ascending, double p) {
  double place = p * static_cast<double>(ascending.size() - 1);
  auto below = static_cast<size_t>(place);
  if (below + 1 >= ascending.size()) return ascending.back();
  double share = place - static_cast<double>(below);
  return ascending[below] + share * (ascending[below + 1] - ascending[below]);
}

void setFallback(Estimate &estimate, const FrequencyCounts &counts, FallbackForm form,
                 Status status) {
  auto d = static_cast<double>(counts.observed());
  estimate.status = status;
  estimate.value = d;
  if (d == 0) {
    estimate.se = 0;
    estimate.band = Band::wald(0, 0, 0);
    return;
  }
  if (form == FallbackForm::EstimateS) {
    double p = std::exp(-static_cast<double>(counts.incidences()) / d);
    estimate.se = std::sqrt(d * p * (1 - p));
    estimate.band = Band::wald(d / (1 - p), std::sqrt(d * p / (1 - p)), d);
    return;
  }
  // Elements taken for Poisson with mean Y_i: the chance of having missed one is exp(-Y_i).
  double variance = 0, weighted = 0, missed = 0;
  for (auto [k, count] : counts.frequencies()) {
    double e = std::exp(-static_cast<double>(k)), q = static_cast<double>(count);
    variance += q * (e - e * e);
    weighted += static_cast<double>(k) * e * q;
    missed += e * q;
  }
  variance -=
      weighted * weighted /
      static_cast<double>(form == FallbackForm::Sound ? counts.incidences() : counts.units());
  double p = missed / d;
  if (form == FallbackForm::Sound && variance < 0) variance = 0; // rounding
  if (variance < 0) {
    estimate.reason = "the variance came out negative";
    return;
  }
  estimate.se = std::sqrt(variance);
  estimate.band = Band::wald(d / (1 - p), *estimate.se / (1 - p), d);
}

Estimate logNormalEstimate(const FrequencyCounts &counts, double raw, double variance,
                           FallbackForm form) {
  Estimate estimate;
  estimate.raw = raw;
  auto d = static_cast<double>(counts.observed());
  double unseen = raw - d;
  if (std::fabs(unseen) < 5e-6) {
    estimate.reason = "as many as were observed: nothing in the data tells of more";
    setFallback(estimate, counts, form);
  } else if (unseen < 0) {
    estimate.reason = "the formula gives fewer than were observed";
    setFallback(estimate, counts, form, Status::BelowObserved);
  } else if (!(variance > 0)) {
    estimate.status = Status::VarianceUnavailable;
    estimate.value = raw;
    estimate.reason = "the variance came out negative or zero";
  } else {
    estimate.status = Status::Ok;
    estimate.value = raw;
    estimate.se = std::sqrt(variance);
    estimate.band = Band::logNormal(d, unseen, variance);
  }
  return estimate;
}

std::optional<Estimate> trivialEstimate(const FrequencyCounts &counts) {
  Estimate estimate;
  auto d = static_cast<double>(counts.observed());
  estimate.raw = estimate.value = d;
  if (counts.observed() == 0) {
    setFallback(estimate, counts);
    estimate.reason = "nothing was covered";
    return estimate;
  }
  if (counts.units() <= 1) {
    estimate.status = Status::InsufficientUnits;
    estimate.reason = "one sampling unit tells nothing about what is missing; use smaller units";
    return estimate;
  }
  return std::nullopt;
}

std::optional<Estimate> trivialOrNotEstimable(const FrequencyCounts &counts) {
  if (counts.observed() != 0 && counts.units() <= 1)
    return notEstimable("one sampling unit tells nothing about what is missing; use smaller units");
  return trivialEstimate(counts);
}

Estimate notEstimable(std::string reason, std::optional<double> raw) {
  Estimate estimate;
  estimate.raw = raw;
  estimate.reason = std::move(reason);
  return estimate;
}

} // namespace fathom::estimate
