// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages with one panel for each estimator.
#include "assess/Pictures.h"
#include "assess/Report.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::assess {

using namespace estimate;

namespace {

constexpr double kPanelWidth = 220, kPanelHeight = 150, kGapX = 36, kGapY = 52;
constexpr size_t kColumns = 4;

Panel gridPanel(size_t index, Range xs, Range ys) {
  const size_t column = index % kColumns, row = index / kColumns;
  return {70 + static_cast<double>(column) * (kPanelWidth + kGapX),
          92 + static_cast<double>(row) * (kPanelHeight + kGapY),
          kPanelWidth,
          kPanelHeight,
          xs,
          ys};
}

SvgPage gridPage(const std::string &title, const std::string &note) {
  const size_t rows = (allEstimators().size() + kColumns - 1) / kColumns;
  SvgPage page(70 + kColumns * (kPanelWidth + kGapX),
               112 + static_cast<double>(rows) * (kPanelHeight + kGapY), title);
  page.text(20, 22, title, "font-weight=\"bold\"");
  page.text(20, 44, note, "fill=\"#555555\"");
  return page;
}

/// From a little below what matters to a little above; a few far values do not press all others
/// flat, but are drawn at the edge.
Range robustRange(std::vector<double> values, double least, double most) {
  std::sort(values.begin(), values.end());
  Range range{least, most};
  if (!values.empty()) {
    range.low = std::min(range.low, quantile(values, 0.02));
    range.high = std::max(range.high, std::min(quantile(values, 0.95), 2.5 * most));
  }
  const double margin = std::max(1.0, 0.08 * (range.high - range.low));
  return {std::max(0.0, range.low - margin), range.high + margin};
}

void drawTruth(SvgPage &page, const Panel &panel, const std::optional<uint64_t> &truth) {
  if (!truth) return;
  const double y = panel.y(static_cast<double>(*truth));
  page.line(panel.left, y, panel.right(), y,
            "stroke=\"#000000\" stroke-width=\"1.3\" stroke-dasharray=\"5 3\"");
}

/// Mean over the trials that have one, of the estimate and of the ends of its interval.
struct MeanBand {
  SvgPoints value, lower, upper;
};

MeanBand meanBand(const ProgramTrials &program, size_t estimator, double perUnit) {
  MeanBand band;
  for (size_t point = 0; point < program.trials[0].snapshots.size(); ++point) {
    double value = 0, values = 0, lower = 0, upper = 0, intervals = 0;
    for (const Measured &trial : program.trials) {
      const Answer answer = trial.snapshots[point].answers[estimator].at(Width::Published, 0);
      if (answer.value) value += *answer.value, ++values;
      if (answer.interval)
        lower += answer.interval->lower, upper += answer.interval->upper, ++intervals;
    }
    const double x = program.trials[0].snapshots[point].units * perUnit;
    if (values > 0) band.value.emplace_back(x, value / values);
    if (intervals > 0) {
      band.lower.emplace_back(x, lower / intervals);
      band.upper.emplace_back(x, upper / intervals);
    }
  }
  return band;
}

} // namespace

std::string unitSizesSvg(const ProgramTrials &program, const Plan &plan) {
  const std::vector<uint32_t> &sizes = plan.measure.sizes;
  SvgPage page =
      gridPage(fmt::format("{}: estimates against the length of units", program.name),
               fmt::format("dots: trials; bar: their mean; grey: units in random order first{}; "
                           "triangles: beyond the scale",
                           program.truth ? "; dashed: what can be reached" : ""));
  std::vector<double> all;
  double observed = 0;
  for (const Measured &trial : program.trials) {
    observed = std::max(observed, static_cast<double>(trial.accumulation.back()));
    for (const Joined &joined : trial.joined)
      for (const StoredAnswer &answer : joined.answers)
        if (answer.value) all.push_back(*answer.value);
  }
  const double truth = program.truth ? static_cast<double>(*program.truth) : observed;
  const Range ys = robustRange(all, std::min(observed, truth), std::max(observed, truth));
  const Range xs{0, static_cast<double>(sizes.size())};
  for (size_t e = 0; e < allEstimators().size(); ++e) {
    Panel panel = gridPanel(e, xs, ys);
    panel.yAxis(page, e % kColumns ? Panel::Label() : numberLabel, 4);
    panel.frame(page);
    page.text(panel.left, panel.top - 8, estimatorName(allEstimators()[e]),
              fmt::format("fill=\"{}\" font-weight=\"bold\"", colourOf(e)).c_str());
    drawTruth(page, panel, program.truth);
    for (size_t s = 0; s < sizes.size(); ++s) {
      const double centre = static_cast<double>(s) + 0.5;
      page.text(panel.x(centre), panel.bottom() + 16, lengthOfUnits(plan, sizes[s]),
                "text-anchor=\"middle\" font-size=\"11\"");
      for (bool shuffled : {true, false}) {
        if (shuffled && sizes[s] == 1) continue;
        const double x = panel.x(centre + (shuffled ? 0.2 : -0.08));
        const std::string colour = shuffled ? "#aaaaaa" : colourOf(e);
        double sum = 0, count = 0;
        for (const Measured &trial : program.trials)
          for (const Joined &joined : trial.joined) {
            if (joined.size != sizes[s] || joined.shuffled != shuffled) continue;
            const std::optional<double> &value = joined.answers[e].value;
            if (!value) continue;
            sum += *value, ++count;
            if (ys.holds(*value))
              page.circle(x, panel.y(*value), 2.2,
                          fmt::format("fill=\"{}\" fill-opacity=\"0.6\"", colour).c_str());
            else
              panel.markCut(page, {{centre + (shuffled ? 0.2 : -0.08), *value}}, colour);
          }
        if (count == 0 && !shuffled)
          page.text(x, panel.bottom() - 5, "no value",
                    "text-anchor=\"middle\" font-size=\"10\" fill=\"#999999\"");
        if (count > 0 && ys.holds(sum / count))
          page.line(x - 9, panel.y(sum / count), x + 9, panel.y(sum / count),
                    fmt::format("stroke=\"{}\" stroke-width=\"2.2\"", colour).c_str());
      }
    }
  }
  return page.finish();
}

std::string accumulationSvg(const ProgramTrials &program, const Plan &plan) {
  const TimeScale time = timeScale(plan);
  SvgPage page = gridPage(
      fmt::format("{}: what was covered, and the estimates with their {:g} % bands", program.name,
                  100 * plan.measure.levels[0]),
      fmt::format("black: covered, mean over {} trials (grey: each); coloured: mean estimate, mean "
                  "ends of its interval, triangles: beyond the scale{}; x: {}",
                  program.trials.size(), program.truth ? "; dashed: what can be reached" : "",
                  time.name));
  std::vector<double> mean(plan.units);
  std::vector<SvgPoints> curves;
  for (const Measured &trial : program.trials) {
    SvgPoints curve{{0, 0}};
    for (size_t unit = 0; unit < trial.accumulation.size(); ++unit) {
      const auto observed = static_cast<double>(trial.accumulation[unit]);
      mean[unit] += observed / static_cast<double>(program.trials.size());
      curve.emplace_back(static_cast<double>(unit + 1) * time.perUnit, observed);
    }
    curves.push_back(std::move(curve));
  }
  SvgPoints meanCurve{{0, 0}};
  for (size_t unit = 0; unit < mean.size(); ++unit)
    meanCurve.emplace_back(static_cast<double>(unit + 1) * time.perUnit, mean[unit]);
  std::vector<MeanBand> bands;
  std::vector<double> values;
  for (size_t e = 0; e < allEstimators().size(); ++e) {
    bands.push_back(meanBand(program, e, time.perUnit));
    for (auto [x, y] : bands.back().value) values.push_back(y);
    for (auto [x, y] : bands.back().upper) values.push_back(y);
  }
  const double truth = program.truth ? static_cast<double>(*program.truth) : 0;
  Range ys = robustRange(values, 0, std::max(truth, mean.back()));
  ys.low = 0;
  const Range xs{0, plan.units * time.perUnit};
  for (size_t e = 0; e < bands.size(); ++e) {
    Panel panel = gridPanel(e, xs, ys);
    panel.yAxis(page, e % kColumns ? Panel::Label() : numberLabel, 4);
    panel.xAxis(page, numberLabel, 4);
    page.text(panel.left, panel.top - 8, estimatorName(allEstimators()[e]),
              fmt::format("fill=\"{}\" font-weight=\"bold\"", colourOf(e)).c_str());
    if (!bands[e].lower.empty())
      page.path(
          panel.band(bands[e].lower, bands[e].upper),
          fmt::format("fill=\"{}\" fill-opacity=\"0.18\" stroke=\"none\"", colourOf(e)).c_str());
    // Not all of a hundred.
    for (size_t i = 0; i < curves.size(); i += curves.size() / 30 + 1)
      page.path(panel.path(curves[i]), "fill=\"none\" stroke=\"#999999\" stroke-width=\"0.5\"");
    page.path(panel.path(meanCurve), "fill=\"none\" stroke=\"#000000\" stroke-width=\"1.6\"");
    drawTruth(page, panel, program.truth);
    if (bands[e].value.empty())
      page.text(panel.left + panel.width / 2, panel.top + 20, "no value",
                "text-anchor=\"middle\" fill=\"#999999\"");
    else
      page.path(panel.path(bands[e].value), strokeOf(e, 2).c_str());
    if (bands[e].value.size() == 1) // of which no line comes
      panel.dot(page, bands[e].value[0], colourOf(e));
    panel.markCut(page, bands[e].value, colourOf(e));
    panel.markCut(page, bands[e].upper, colourOf(e));
    panel.frame(page);
  }
  return page.finish();
}

} // namespace fathom::assess
