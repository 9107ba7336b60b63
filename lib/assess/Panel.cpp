// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Panel.h"

#include <cmath>

#include <fmt/format.h>

namespace fathom::assess {

using estimate::SvgPage;
using estimate::SvgPoints;

static constexpr const char *kAxis = "stroke=\"#444444\"", *kGrid = "stroke=\"#e6e6e6\"";

void Panel::yAxis(SvgPage &page, const Label &label, double ticks) const {
  const double step = estimate::tickStep(ys.high - ys.low, ticks);
  for (double v = std::ceil(ys.low / step - 1e-9) * step; v <= ys.high + step * 1e-9; v += step) {
    page.line(left, y(v), right(), y(v), kGrid);
    if (label) page.text(left - 6, y(v) + 4, label(v), "text-anchor=\"end\"");
  }
}

void Panel::xAxis(SvgPage &page, const Label &label, double ticks) const {
  const double step = estimate::tickStep(xs.high - xs.low, ticks);
  for (double v = std::ceil(xs.low / step - 1e-9) * step; v <= xs.high + step * 1e-9; v += step) {
    page.line(x(v), bottom(), x(v), bottom() + 4, kAxis);
    if (label) page.text(x(v), bottom() + 17, label(v), "text-anchor=\"middle\"");
  }
}

void Panel::frame(SvgPage &page) const {
  page.line(left, bottom(), right(), bottom(), kAxis);
  page.line(left, top, left, bottom(), kAxis);
}

std::string Panel::path(const SvgPoints &data) const {
  SvgPoints points;
  for (auto [dx, dy] : data) points.emplace_back(x(dx), y(dy));
  return estimate::polyline(points);
}

void Panel::dot(SvgPage &page, std::pair<double, double> at, const std::string &colour) const {
  page.circle(x(at.first), y(at.second), 3, fmt::format("fill=\"{}\"", colour).c_str());
}

bool Panel::markCut(SvgPage &page, const SvgPoints &data, const std::string &colour) const {
  bool any = false;
  for (auto [dx, dy] : data) {
    if (ys.holds(dy)) continue;
    any = true;
    // Its tip on the edge, pointing out.
    page.path(fmt::format("M{:.1f} {:.1f} l-4 {} l8 0 Z", x(dx), y(dy), dy > ys.high ? 7 : -7),
              fmt::format("fill=\"{}\"", colour).c_str());
  }
  return any;
}

std::string Panel::band(const SvgPoints &lower, const SvgPoints &upper) const {
  SvgPoints around = upper;
  around.insert(around.end(), lower.rbegin(), lower.rend());
  return around.empty() ? "" : path(around) + " Z";
}

} // namespace fathom::assess
