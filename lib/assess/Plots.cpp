// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Plots.h"

#include "assess/Panel.h"
#include "assess/Report.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace fathom::assess {

using namespace estimate;

namespace {

constexpr const char *kColours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd",
                                    "#ff7f0e", "#8c564b", "#17becf", "#e377c2",
                                    "#7f7f00", "#0b3d91", "#d4a017", "#555555"};
constexpr const char *kDashes[] = {"", "7 3", "2 3"};

const char *colourOf(size_t estimator) { return kColours[estimator % std::size(kColours)]; }

/// Twelve colours, and a dash for what comes after them.
std::string strokeOf(size_t estimator, double width) {
  std::string style =
      fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"", colourOf(estimator), width);
  const char *dash = kDashes[estimator / std::size(kColours) % std::size(kDashes)];
  return *dash ? style + fmt::format(" stroke-dasharray=\"{}\"", dash) : style;
}

/// Time on an x axis: in the largest of s, min, h that leaves two and more, or executions.
struct TimeScale {
  double perUnit = 1;
  std::string name;
};

TimeScale timeScale(const Plan &plan) {
  if (plan.unit.executions) return {static_cast<double>(plan.unit.executions), "executions"};
  const double unit = std::chrono::duration<double>(plan.unit.time).count();
  const double all = unit * plan.units;
  if (all < 300) return {unit, "seconds"};
  if (all < 4 * 3600) return {unit / 60, "minutes"};
  return {unit / 3600, "hours"};
}

std::string percentLabel(double v) { return fmt::format("{:+.0f} %", 100 * v + 0.0); }
std::string zeroOr(const Panel::Label &label, double v) {
  return std::fabs(v) < 1e-9 ? "0" : label(v);
}
std::string numberLabel(double v) {
  return std::fabs(v) < 10 && v != std::floor(v) ? fmt::format("{:.1f}", v) : grouped(v);
}

/// One line of a plot of lines, named at its right end.
struct Series {
  std::string name;
  SvgPoints points;
  std::string stroke, colour;
};

/// Moves labels apart that would lie on each other; in order of height.
std::vector<double> spread(std::vector<double> wanted, double gap, double lowest) {
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
  for (size_t i = 1; i < order.size(); ++i)
    wanted[order[i]] = std::max(wanted[order[i]], wanted[order[i - 1]] + gap);
  // What was pushed beyond the end comes back up.
  for (size_t i = order.size(); i-- > 0;) {
    const double most = i + 1 == order.size() ? lowest : wanted[order[i + 1]] - gap;
    wanted[order[i]] = std::min(wanted[order[i]], most);
  }
  return wanted;
}

void drawSeries(SvgPage &page, const Panel &panel, const std::vector<Series> &all,
                const std::function<std::string(double)> &value) {
  std::vector<double> places;
  for (const Series &series : all) {
    page.path(panel.path(series.points), series.stroke.c_str());
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
      double sum = 0, with = 0;
      for (const ProgramFindings *program : programs) {
        const Accuracy &a = program->accuracy[e][point].accuracy;
        if (a.withValue) sum += a.meanBias, ++with;
      }
      if (with == count) lines.estimators[e].emplace_back(x, sum / with);
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

std::string biasSvg(const BiasLines &lines, const std::string &title, const Plan &plan) {
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
  page.text(panel.left, 42, "mean bias: (estimate − reachable) / reachable",
            "text-anchor=\"start\" fill=\"#666666\"");
  page.text(panel.left + panel.width / 2, panel.bottom() + 38, time.name, "text-anchor=\"middle\"");
  std::vector<Series> all;
  all.push_back({"covered", lines.covered,
                 "fill=\"none\" stroke=\"#000000\" stroke-width=\"2\" stroke-dasharray=\"5 4\"",
                 "#000000"});
  for (size_t e = 0; e < lines.estimators.size(); ++e)
    if (!lines.estimators[e].empty())
      all.push_back(
          {estimatorName(allEstimators()[e]), lines.estimators[e], strokeOf(e, 1.8), colourOf(e)});
  drawSeries(page, panel, all, [](double v) {
    return std::fabs(v) < 0.0995 ? fmt::format("{:+.1f} %", 100 * v) : percentLabel(v);
  });
  return page.finish();
}

// ---- interval coverage
// --------------------------------------------------------------------------------------------------

constexpr const char *kLevelColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

const char *levelColour(size_t level) { return kLevelColours[level % std::size(kLevelColours)]; }

std::string shareLabel(const Share &share) {
  return fmt::format("{:.0f} % of {}", 100 * *share.value(), share.of);
}

std::string coverageSvg(const Findings &findings) {
  const std::vector<double> &levels = findings.options.levels;
  const auto rows = static_cast<double>(allEstimators().size());
  const double each = 10.0 * static_cast<double>(levels.size() * std::size(kWidths)) + 10;
  const std::string title = "how often intervals hold the truth, at the end of trials";
  SvgPage page(820, 130 + rows * each, title);
  page.text(20, 22, title, "font-weight=\"bold\"");
  Panel panel{120, 70, 560, rows * each, {0, 1}, {0, rows}};
  double x = 20;
  for (size_t level = 0; level < levels.size(); ++level) {
    page.circle(x + 4, 42, 4, fmt::format("fill=\"{}\"", levelColour(level)).c_str());
    page.text(x + 14, 46, fmt::format("{:g} % intervals", 100 * levels[level]), "");
    x += 125;
  }
  page.circle(x + 4, 42, 3.5, "fill=\"white\" stroke=\"#222222\" stroke-width=\"1.5\"");
  page.text(x + 14, 46,
            "hollow: widened for blocks; bars: 95 % interval of the share; dashed: promised", "");
  for (double v : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    page.line(panel.x(v), panel.top, panel.x(v), panel.bottom(), "stroke=\"#e6e6e6\"");
    page.text(panel.x(v), panel.bottom() + 17, fmt::format("{:.0f} %", 100 * v),
              "text-anchor=\"middle\"");
  }
  for (size_t level = 0; level < levels.size(); ++level)
    page.line(panel.x(levels[level]), panel.top, panel.x(levels[level]), panel.bottom(),
              fmt::format("stroke=\"{}\" stroke-dasharray=\"4 3\"", levelColour(level)).c_str());
  for (size_t e = 0; e < findings.verdicts.size(); ++e) {
    const double top = panel.top + static_cast<double>(e) * each;
    if (e % 2) page.rectangle(20, top, 780, each, "fill=\"#000000\" fill-opacity=\"0.03\"");
    page.text(panel.left - 10, top + each / 2 + 4, estimatorName(allEstimators()[e]),
              "text-anchor=\"end\"");
    double y = top + 10;
    const Verdict &verdict = findings.verdicts[e];
    for (size_t level = 0; level < levels.size(); ++level)
      for (Width width : kWidths) {
        const Share &share = verdict.coverage[static_cast<size_t>(width)][level];
        const char *colour = levelColour(level);
        if (share.of) {
          Interval i = share.interval();
          page.line(panel.x(i.lower), y, panel.x(i.upper), y,
                    fmt::format("stroke=\"{}\" stroke-width=\"1.4\"", colour).c_str());
          page.circle(panel.x(*share.value()), y, 3.5,
                      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"",
                                  width == Width::Published ? colour : "white", colour)
                          .c_str());
          page.text(panel.right() + 14, y + 4, shareLabel(share),
                    fmt::format("font-size=\"10\" fill=\"{}\"", colour).c_str());
        } else {
          page.text(panel.left + 6, y + 4, "no interval", "font-size=\"10\" fill=\"#999999\"");
        }
        y += 10;
      }
  }
  panel.frame(page);
  return page.finish();
}

// ---- one panel for each estimator
// --------------------------------------------------------------------------------------------------

constexpr double kPanelWidth = 220, kPanelHeight = 150, kGapX = 36, kGapY = 52;
constexpr size_t kColumns = 4;

Panel gridPanel(size_t index, Range xs, Range ys) {
  const auto column = static_cast<double>(index % kColumns),
             row = static_cast<double>(index / kColumns);
  return {70 + column * (kPanelWidth + kGapX),
          92 + row * (kPanelHeight + kGapY),
          kPanelWidth,
          kPanelHeight,
          xs,
          ys};
}

SvgPage gridPage(const std::string &title, const std::string &note) {
  const auto rows = static_cast<double>((allEstimators().size() + kColumns - 1) / kColumns);
  SvgPage page(70 + kColumns * (kPanelWidth + kGapX), 112 + rows * (kPanelHeight + kGapY), title);
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
              page.path(fmt::format("M{:.1f} {:.1f} l-4 7 l8 0 Z", x, panel.top),
                        fmt::format("fill=\"{}\"", colour).c_str());
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

std::string accumulationSvg(const ProgramTrials &program, const Plan &plan) {
  const TimeScale time = timeScale(plan);
  SvgPage page = gridPage(
      fmt::format("{}: what was covered, and the estimates with their {:g} % bands", program.name,
                  100 * plan.measure.levels[0]),
      fmt::format("black: covered, mean over {} trials (grey: each); coloured: mean estimate, mean "
                  "ends of its interval, cut at the top{}; x: {}",
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
    panel.frame(page);
  }
  return page.finish();
}

} // namespace

std::vector<std::pair<std::string, std::string>> plots(const std::vector<ProgramTrials> &programs,
                                                       const Findings &findings, const Plan &plan) {
  std::vector<std::pair<std::string, std::string>> out;
  std::vector<const ProgramFindings *> known;
  std::vector<const ProgramTrials *> knownTrials;
  for (size_t i = 0; i < programs.size(); ++i) {
    if (!programs[i].truth) continue;
    known.push_back(&findings.programs[i]);
    knownTrials.push_back(&programs[i]);
  }
  if (!known.empty()) {
    out.emplace_back(
        "bias.svg",
        biasSvg(biasLines(known, knownTrials, plan),
                fmt::format("mean bias over time, mean over {} programs", known.size()), plan));
    out.emplace_back("coverage.svg", coverageSvg(findings));
  }
  for (size_t i = 0; i < programs.size(); ++i) {
    const ProgramTrials &program = programs[i];
    if (program.truth)
      out.emplace_back(program.name + "-bias.svg",
                       biasSvg(biasLines({&findings.programs[i]}, {&program}, plan),
                               fmt::format("{}: mean bias over time, {} trials", program.name,
                                           program.trials.size()),
                               plan));
    out.emplace_back(program.name + "-unit-sizes.svg", unitSizesSvg(program, plan));
    out.emplace_back(program.name + "-accumulation.svg", accumulationSvg(program, plan));
  }
  return out;
}

} // namespace fathom::assess
