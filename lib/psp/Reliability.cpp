// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Reliability.h"

#include "estimate/Accuracy.h"
#include "estimate/Svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace fathom::psp {

double brierScore(std::span<const Labelled> alarms) {
  double out = 0;
  for (const Labelled &a : alarms) out += (a.score - a.isReal) * (a.score - a.isReal);
  return out / static_cast<double>(alarms.size());
}

std::vector<ReliabilityBin> reliability(std::span<const Labelled> alarms, unsigned bins) {
  std::vector<ReliabilityBin> out(bins);
  for (unsigned i = 0; i < bins; ++i)
    out[i].lo = double(i) / bins, out[i].hi = double(i + 1) / bins;
  for (const Labelled &a : alarms) {
    const auto at = static_cast<unsigned>(a.score * bins);
    ReliabilityBin &bin = out[std::min(at, bins - 1)];
    ++bin.alarms;
    bin.real += a.isReal;
    bin.predicted += a.score;
  }
  for (ReliabilityBin &bin : out) {
    if (!bin.alarms) continue;
    bin.predicted /= static_cast<double>(bin.alarms);
    const estimate::Interval share = estimate::wilson(bin.real, bin.alarms, 0.9);
    // The bounds are exactly 0 and 1 here, which rounding in wilson() could miss.
    bin.least = bin.real ? share.lower : 0, bin.most = bin.real < bin.alarms ? share.upper : 1;
  }
  return out;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

double Confusion::truePositiveRate() const {
  return ratio(double(truePositives), double(truePositives + falseNegatives));
}
double Confusion::falsePositiveRate() const {
  return ratio(double(falsePositives), double(falsePositives + trueNegatives));
}
double Confusion::precision() const {
  return ratio(double(truePositives), double(truePositives + falsePositives));
}
double Confusion::f1() const {
  return ratio(2 * double(truePositives),
               double(2 * truePositives + falsePositives + falseNegatives));
}
double Confusion::mcc() const {
  const auto tp = double(truePositives), fp = double(falsePositives), tn = double(trueNegatives),
             fn = double(falseNegatives);
  return ratio(tp * tn - fp * fn, std::sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)));
}

static void count(Confusion &out, bool isReported, bool isReal, uint64_t times = 1) {
  (isReported ? isReal ? out.truePositives : out.falsePositives
   : isReal   ? out.falseNegatives
              : out.trueNegatives) += times;
}

Confusion confusion(std::span<const Labelled> alarms, double theta) {
  Confusion out;
  for (const Labelled &a : alarms) count(out, a.score >= theta, a.isReal);
  return out;
}

std::vector<SweepPoint> sweep(std::span<const Labelled> alarms, uint64_t unscoredReal,
                              uint64_t unscoredFalse, unsigned steps) {
  std::vector<SweepPoint> out;
  for (unsigned i = 0; i <= steps; ++i) {
    SweepPoint point{double(i) / steps, {}};
    point.confusion = confusion(alarms, point.theta);
    count(point.confusion, i == 0, true, unscoredReal);
    count(point.confusion, i == 0, false, unscoredFalse);
    out.push_back(point);
  }
  return out;
}

// ---- the plot ---------------------------------------------------------------------------------

namespace {

constexpr double kSide = 260, kGap = 70, kPlotTop = 50;

/// A square with [0, 1] to the right and upwards.
class Square {
public:
  Square(estimate::SvgPage &page, double left, const char *x, const char *y)
      : page_(page), left_(left) {
    page.rectangle(left, kPlotTop, kSide, kSide, R"(fill="none" stroke="#888")");
    for (int i = 0; i <= 5; ++i) {
      const double at = i / 5.0;
      page.text(place(at, 0).first, kPlotTop + kSide + 16, fmt::format("{}", at),
                R"(text-anchor="middle" fill="#444")");
      page.text(left - 6, place(0, at).second + 4, fmt::format("{}", at),
                R"(text-anchor="end" fill="#444")");
    }
    page.text(left + kSide / 2, kPlotTop + kSide + 36, x, R"(text-anchor="middle")");
    page.text(left, kPlotTop - 8, y, R"(text-anchor="start")");
  }
  std::pair<double, double> place(double x, double y) const {
    return {left_ + x * kSide, kPlotTop + (1 - y) * kSide};
  }
  void curve(const estimate::SvgPoints &points, const char *style) const {
    estimate::SvgPoints out;
    for (const auto &[x, y] : points) out.push_back(place(x, std::max(0.0, y)));
    page_.path(estimate::polyline(out), style);
  }

private:
  estimate::SvgPage &page_;
  double left_;
};

} // namespace

std::string sweepPlot(const std::vector<SweepPoint> &points, const std::string &title) {
  estimate::SvgPage page(2 * (kSide + kGap) + 30, kPlotTop + kSide + 60, title);
  page.text(kGap, 20, title, R"(font-weight="bold")");
  estimate::SvgPoints roc, f1, mcc;
  for (const SweepPoint &p : points) {
    roc.emplace_back(p.confusion.falsePositiveRate(), p.confusion.truePositiveRate());
    f1.emplace_back(p.theta, p.confusion.f1());
    mcc.emplace_back(p.theta, p.confusion.mcc());
  }
  const Square left(page, kGap, "false positive rate", "true positive rate");
  left.curve({{0, 0}, {1, 1}}, R"(fill="none" stroke="#aaa" stroke-dasharray="4 4")");
  left.curve(roc, R"(fill="none" stroke="#1f77b4" stroke-width="2")");
  const double second = 2 * kGap + kSide;
  const Square right(page, second, "theta", "F1 (blue), MCC (orange)");
  right.curve(f1, R"(fill="none" stroke="#1f77b4" stroke-width="2")");
  right.curve(mcc, R"(fill="none" stroke="#ff7f0e" stroke-width="2")");
  return page.finish();
}

} // namespace fathom::psp
