// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How good predictions are whose truth is known: the Brier score, the reliability table, and what a
// threshold makes of them.
#ifndef FATHOM_PSP_RELIABILITY_H
#define FATHOM_PSP_RELIABILITY_H

#include "psp/Isotonic.h"

#include <cstdint>
#include <optional>

namespace fathom::psp {

/// The mean of (score - truth)^2 ([brier50]): 0 is perfect, 0.25 is a coin. REQUIRES at least one
/// alarm: it is NaN without any.
double brierScore(std::span<const Labelled> alarms);

/// Alarms whose scores are in [lo, hi); the last bin has its end, too.
struct ReliabilityBin {
  double lo = 0, hi = 0;
  uint64_t alarms = 0, real = 0;
  double predicted = 0;       ///< the mean score; 0 without alarms
  double least = 0, most = 1; ///< 90 % Wilson interval of the share of real ones
  bool holds() const { return !alarms || (predicted >= least && predicted <= most); }
};
/// Bins of equal width, empty ones too.
std::vector<ReliabilityBin> reliability(std::span<const Labelled> alarms, unsigned bins = 10);

/// What comes of reporting alarms with at least a score.
struct Confusion {
  uint64_t truePositives = 0, falsePositives = 0, trueNegatives = 0, falseNegatives = 0;
  double truePositiveRate() const;  ///< recall; 0 if nothing is real
  double falsePositiveRate() const; ///< 0 if everything is real
  double precision() const;         ///< 0 if nothing is reported
  double f1() const;                ///< 2 TP / (2 TP + FP + FN); 0 if nothing is real or reported
  double mcc() const;               ///< Matthews' correlation, -1 to 1; 0 where it is not defined
};
Confusion confusion(std::span<const Labelled> alarms, double theta);

struct SweepPoint {
  double theta = 0;
  Confusion confusion;
};
/// The confusions at theta 0, 1 / steps, ..., 1. Alarms without an estimate are given as counts, by
/// truth. They are reported at theta 0, which reports all alarms, and at no other theta.
std::vector<SweepPoint> sweep(std::span<const Labelled> alarms, uint64_t unscoredReal,
                              uint64_t unscoredFalse, unsigned steps = 100);

/// SVG: the ROC curve, F1 and MCC over theta side by side. REQUIRES points.
std::string sweepPlot(const std::vector<SweepPoint> &points, const std::string &title);

} // namespace fathom::psp
#endif
