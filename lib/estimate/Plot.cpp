// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Plot.h"

#include "estimate/AnalysisText.h"
#include "estimate/Distributions.h"
#include "estimate/Svg.h"
#include "support/NumberText.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fathom::estimate {

namespace {

constexpr double kLeft = 70, kTop = 48, kBottom = 400, kCurveRight = 540, kPanel = 570,
                 kRight = 880;
constexpr double kHeight = 530, kWidth = 900;

/// From data to the page.
struct Scale {
  double maxUnits, maxElements;
  double x(double units) const { return kLeft + units / maxUnits * (kCurveRight - kLeft); }
  double y(double elements) const {
    return kBottom - std::min(elements, maxElements) / maxElements * (kBottom - kTop);
  }
};

const char *colour(Trust trust) {
  switch (trust) {
  case Trust::Good: return "#1b6e3c";
  case Trust::Fair: return "#9a6a00";
  case Trust::Poor:
  case Trust::None: return "#9b9b9b";
  }
  return "";
}

} // namespace

constexpr const char *kSeen = "fill=\"none\" stroke=\"#2f6db3\" stroke-width=\"2\"",
                     *kBeyond = "fill=\"none\" stroke=\"#2f6db3\" stroke-width=\"2\" "
                                "stroke-dasharray=\"6 4\"",
                     *kBand = "fill=\"#2f6db3\" fill-opacity=\"0.15\" stroke=\"none\"";

/// Everything that is trusted has its value on the page, and the curve and the most trusted
/// interval are whole. Another interval that goes far beyond would press all that flat: it is cut
/// and marked.
static Scale scaleOf(const Analysis &analysis, double z) {
  constexpr double kMaxBeyond = 1.25;
  const double level = analysis.options.levels.front();
  Scale scale{1, 1};
  for (const CurvePoint &point : analysis.curve) {
    scale.maxUnits = std::max(scale.maxUnits, static_cast<double>(point.units));
    scale.maxElements = std::max(scale.maxElements, point.value + z * point.se);
  }
  double highest = 0; // end of an interval
  for (const TrustedEstimate &entry : analysis.estimates) {
    if (entry.trust >= Trust::Poor) continue;
    const double value = *entry.widened.value;
    std::optional<Interval> interval = entry.widened.interval(level);
    double end = interval ? interval->upper : value;
    highest = std::max(highest, end);
    // Even the most trusted one can be far off.
    const double whole = 3 * static_cast<double>(analysis.counts.observed());
    scale.maxElements =
        std::max(scale.maxElements, std::min(&entry == analysis.best() ? end : value, whole));
  }
  scale.maxElements =
      std::max(scale.maxElements, std::min(highest, kMaxBeyond * scale.maxElements));
  scale.maxElements *= 1.05;
  return scale;
}

static void drawAxes(SvgPage &page, const Scale &scale, const std::string &noun) {
  const char *grid = "stroke=\"#e4e4e4\"", *axis = "stroke=\"#444444\"";
  double step = tickStep(scale.maxElements);
  for (double v = 0; v <= scale.maxElements; v += step) {
    page.line(kLeft, scale.y(v), kRight, scale.y(v), grid);
    page.text(kLeft - 8, scale.y(v) + 4, grouped(v), "text-anchor=\"end\"");
  }
  step = std::max(1.0, tickStep(scale.maxUnits));
  for (double v = 0; v <= scale.maxUnits; v += step) {
    page.line(scale.x(v), kBottom, scale.x(v), kBottom + 5, axis);
    page.text(scale.x(v), kBottom + 19, grouped(v), "text-anchor=\"middle\"");
  }
  page.line(kLeft, kBottom, kCurveRight, kBottom, axis);
  page.line(kLeft, kTop, kLeft, kBottom, axis);
  page.text((kLeft + kCurveRight) / 2, kBottom + 40, "sampling units", "text-anchor=\"middle\"");
  page.text(kLeft, kTop - 10, noun + " covered", "text-anchor=\"start\"");
}

static void drawCurve(SvgPage &page, const Analysis &analysis, const Scale &scale, double z) {
  auto t = analysis.counts.units();
  // A campaign slows down: the mean over all orders of its units flattens long before it did. So
  // where the order is known, what was is drawn, and the model only from there on.
  const bool isOrdered = analysis.units.has_value();
  SvgPoints band, back, seen, beyond;
  for (const CurvePoint &point : analysis.curve) {
    double x = scale.x(static_cast<double>(point.units));
    if (isOrdered && point.units < t) continue;
    band.emplace_back(x, scale.y(point.value + z * point.se));
    back.emplace_back(x, scale.y(std::max(0.0, point.value - z * point.se)));
    if (point.units <= t) seen.emplace_back(x, scale.y(point.value));
    if (point.units >= t) beyond.emplace_back(x, scale.y(point.value));
  }
  band.insert(band.end(), back.rbegin(), back.rend());
  page.path(polyline(band) + " Z", kBand);
  if (isOrdered) {
    seen = {{scale.x(0), scale.y(0)}};
    const std::vector<uint64_t> &observed = analysis.units->series.observed;
    size_t stride = std::max<size_t>(1, observed.size() / 1000);
    for (size_t j = 0; j < observed.size(); j += stride)
      seen.emplace_back(scale.x(static_cast<double>(j + 1)),
                        scale.y(static_cast<double>(observed[j])));
    seen.emplace_back(scale.x(static_cast<double>(t)),
                      scale.y(static_cast<double>(analysis.counts.observed())));
  }
  page.path(polyline(seen), kSeen);
  page.path(polyline(beyond), kBeyond);
  double x = scale.x(static_cast<double>(t)),
         y = scale.y(static_cast<double>(analysis.counts.observed()));
  page.circle(x, y, 4, "fill=\"#2f6db3\"");
  page.line(x, y, kRight, y, "stroke=\"#2f6db3\" stroke-width=\"0.7\" stroke-dasharray=\"2 3\"");
}

/// Returns whether something lies beyond the page.
static bool drawEstimates(SvgPage &page, const Analysis &analysis, const Scale &scale) {
  bool cut = false;
  double slot =
      (kRight - kPanel) / static_cast<double>(std::max<size_t>(1, analysis.estimates.size()));
  double x = kPanel + slot / 2;
  for (const TrustedEstimate &entry : analysis.estimates) {
    const Estimate &estimate = entry.widened;
    bool beyond = estimate.value && *estimate.value > scale.maxElements;
    std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour(entry.trust));
    if (std::optional<Interval> interval = estimate.interval(analysis.options.levels.front())) {
      if (interval->lower <= scale.maxElements)
        page.line(x, scale.y(interval->lower), x, scale.y(interval->upper), stroke.c_str());
      beyond |= interval->upper > scale.maxElements;
    }
    if (beyond) {
      page.path(fmt::format("M{:.1f} {:.1f} l-5 8 l10 0 Z", x, kTop),
                fmt::format("fill=\"{}\"", colour(entry.trust)).c_str());
      cut = true;
    }
    if (estimate.value && *estimate.value <= scale.maxElements)
      page.circle(x, scale.y(*estimate.value), 3.5,
                  fmt::format("fill=\"{}\"", colour(entry.trust)).c_str());
    else if (!estimate.value)
      page.text(x, kBottom - 6, "–", "text-anchor=\"middle\" fill=\"#9b9b9b\"");
    page.slanted(x + 4, kBottom + 12, -55, entry.named.name(),
                 fmt::format("text-anchor=\"end\" fill=\"{}\"", colour(entry.trust)).c_str());
    x += slot;
  }
  return cut;
}

/// What lines and colours mean, in two rows.
static void drawLegend(SvgPage &page, const Analysis &analysis, bool cut) {
  const char *plain = "text-anchor=\"start\" fill=\"#444444\"";
  auto sample = [&](double &x, double y, const char *style, const std::string &what) {
    page.path(polyline({{x, y}, {x + 26, y}}), style);
    page.text(x + 32, y + 4, what, plain);
    x += 48 + 6.2 * static_cast<double>(what.size());
  };
  double x = kLeft, y = kHeight - 34;
  sample(x, y, kSeen,
         analysis.units ? "covered, unit by unit" : "covered, mean over all orders of the units");
  sample(x, y, kBeyond, "expected, if units go on alike");
  page.rectangle(x, y - 6, 26, 12, kBand);
  page.text(x + 32, y + 4, fmt::format("{:g} % band", 100 * analysis.options.levels.front()),
            plain);
  x = kLeft;
  y = kHeight - 14;
  page.text(x, y + 4, "trust in estimates:", plain);
  x += 120;
  for (Trust trust : {Trust::Good, Trust::Fair, Trust::Poor}) {
    page.rectangle(x, y - 4, 8, 8, fmt::format("fill=\"{}\"", colour(trust)).c_str());
    page.text(x + 14, y + 4, trustName(trust), plain);
    x += 60;
  }
  if (cut) page.text(x + 20, y + 4, "triangles: go on beyond the scale", plain);
}

std::string analysisSvg(const Analysis &analysis, const std::string &noun) {
  double z = normalCriticalValue(analysis.options.levels.front());
  Scale scale = scaleOf(analysis, z);
  const std::vector<std::string> title = wrapped(headline(analysis, noun), kRight - kLeft);
  constexpr double kLine = 16;
  const double above = kLine * static_cast<double>(title.size() - 1);
  SvgPage page(kWidth, kHeight, headline(analysis, noun), above);
  for (size_t i = 0; i < title.size(); ++i)
    page.text(kLeft, 16 - above + kLine * static_cast<double>(i), title[i], "font-weight=\"bold\"");
  drawAxes(page, scale, noun);
  drawCurve(page, analysis, scale, z);
  const bool cut = drawEstimates(page, analysis, scale);
  page.text(kPanel, kTop - 10,
            fmt::format("estimates, {:g} % intervals, most trusted first",
                        100 * analysis.options.levels.front()),
            "text-anchor=\"start\"");
  drawLegend(page, analysis, cut);
  return page.finish();
}

} // namespace fathom::estimate
