// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom::assess {

using namespace estimate;

namespace {

std::string zeroOr(const Panel::Label &label, double v) {
  return std::fabs(v) < 1e-9 ? "0" : label(v);
}

/// One line of a plot of lines, named at its right end.
struct Series {
  std::string name;
  SvgPoints points;
  std::string stroke, colour;
};

/// Moves labels so that neighbours are at least `gap` apart and no y exceeds maxY. Keeps their
/// order. All numbers are y coordinates, which grow downwards.
std::vector<double> spread(std::vector<double> wanted, double gap, double maxY) {
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
  for (size_t i = 1; i < order.size(); ++i)
    wanted[order[i]] = std::max(wanted[order[i]], wanted[order[i - 1]] + gap);
  // Labels that were pushed below maxY move up again.
  for (size_t i = order.size(); i-- > 0;) {
    const double limit = i + 1 == order.size() ? maxY : wanted[order[i + 1]] - gap;
    wanted[order[i]] = std::min(wanted[order[i]], limit);
  }
  return wanted;
}

/// Returns whether a line left the panel.
bool drawSeries(SvgPage &page, const Panel &panel, const std::vector<Series> &all,
                const std::function<std::string(double)> &value) {
  std::vector<double> places;
  bool cut = false;
  for (const Series &series : all) {
    page.path(panel.path(series.points), series.stroke.c_str());
    if (series.points.size() == 1) // one point gives no line
      panel.dot(page, series.points[0], series.colour);
    cut |= panel.markCut(page, series.points, series.colour);
    places.push_back(panel.y(series.points.back().second));
  }
  places = spread(places, 15, panel.bottom() + 12);
  for (size_t i = 0; i < all.size(); ++i) {
    const auto [x, y] = all[i].points.back();
    const std::string thin = fmt::format("stroke=\"{}\" stroke-width=\"0.7\"", all[i].colour);
    page.line(panel.x(x) + 2, panel.y(y), panel.right() + 16, places[i], thin.c_str());
    const char *arrow = panel.ys.holds(y) ? "" : y > panel.ys.high ? " ↑" : " ↓";
    page.text(panel.right() + 20, places[i] + 4,
              fmt::format("{}  {}{}", all[i].name, value(y), arrow),
              fmt::format("fill=\"{}\"", all[i].colour).c_str());
  }
  return cut;
}

/// Mean bias over time of every estimator, and of what was covered.
struct BiasLines {
  std::vector<SvgPoints> estimators;
  SvgPoints covered;
};

BiasLines biasLines(const std::vector<const ProgramFindings *> &programs,
                    const std::vector<const ProgramTrials *> &trials, const Plan &plan) {
  const TimeScale time = timeScale(plan);
  BiasLines lines;
  lines.estimators.resize(allEstimators().size());
  const auto count = static_cast<double>(programs.size());
  for (size_t point = 0; point < plan.measure.points; ++point) {
    const double x = programs[0]->accuracy[0][point].units * time.perUnit;
    for (size_t e = 0; e < lines.estimators.size(); ++e) {
      double sum = 0, programsWithValue = 0;
      for (const ProgramFindings *program : programs) {
        const Accuracy &a = program->accuracy[e][point].accuracy;
        if (a.withValue) sum += a.meanBias, ++programsWithValue;
      }
      // Means over different sets of programs could not be compared along the line.
      if (programsWithValue == count) lines.estimators[e].emplace_back(x, sum / count);
    }
    double covered = 0;
    for (size_t i = 0; i < programs.size(); ++i)
      for (const Measured &trial : trials[i]->trials)
        covered += (static_cast<double>(trial.snapshots[point].observed) /
                        static_cast<double>(*programs[i]->truth) -
                    1) /
                   static_cast<double>(trials[i]->trials.size()) / count;
    lines.covered.emplace_back(x, covered);
  }
  return lines;
}

} // namespace

std::string biasSvg(const std::vector<const ProgramFindings *> &programs,
                    const std::vector<const ProgramTrials *> &trials, const std::string &title,
                    const Plan &plan) {
  const BiasLines lines = biasLines(programs, trials, plan);
  const TimeScale time = timeScale(plan);
  SvgPage page(900, 480, title);
  page.text(70, 22, title, "font-weight=\"bold\"");
  Panel panel{70, 50, 600, 370, {0, plan.units * time.perUnit}, {0, 0}};
  auto widen = [&](const SvgPoints &points) {
    for (auto [x, y] : points) {
      // Estimates that explode would press the others flat: their lines run along the edge.
      panel.ys.low = std::min(panel.ys.low, std::max(y, -1.0));
      panel.ys.high = std::max(panel.ys.high, std::min(y, 0.6));
    }
  };
  for (const SvgPoints &points : lines.estimators) widen(points);
  widen(lines.covered);
  const double margin = std::max(0.01, 0.06 * (panel.ys.high - panel.ys.low));
  panel.ys.low -= margin;
  panel.ys.high += margin;
  panel.yAxis(page, [](double v) { return zeroOr(percentLabel, v); }, 7);
  panel.xAxis(page, numberLabel, 6);
  panel.frame(page);
  page.line(panel.left, panel.y(0), panel.right(), panel.y(0),
            "stroke=\"#000000\" stroke-width=\"1.4\"");
  page.text(panel.left + panel.width / 2, panel.bottom() + 38, time.name, "text-anchor=\"middle\"");
  std::vector<Series> all;
  all.push_back({"covered", lines.covered,
                 "fill=\"none\" stroke=\"#000000\" stroke-width=\"2\" stroke-dasharray=\"5 4\"",
                 "#000000"});
  for (size_t e = 0; e < lines.estimators.size(); ++e)
    if (!lines.estimators[e].empty())
      all.push_back(
          {estimatorName(allEstimators()[e]), lines.estimators[e], strokeOf(e, 1.8), colourOf(e)});
  const bool cut = drawSeries(page, panel, all, [](double v) {
    return std::fabs(v) < 0.0995 ? fmt::format("{:+.1f} %", 100 * v) : percentLabel(v);
  });
  page.text(panel.left, 38,
            std::string("mean bias: (estimate − reachable) / reachable") +
                (cut ? "; triangles: beyond the scale" : ""),
            "text-anchor=\"start\" fill=\"#666666\"");
  return page.finish();
}

} // namespace fathom::assess
