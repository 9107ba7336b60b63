// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rectangle of a page with axes, in the coordinates of the data. Private to the plots.
#ifndef FATHOM_ASSESS_PANEL_H
#define FATHOM_ASSESS_PANEL_H

#include "estimate/Svg.h"

#include <algorithm>
#include <functional>
#include <string>

namespace fathom::assess {

struct Range {
  double low = 0, high = 1;
  double clamp(double v) const { return std::clamp(v, low, high); }
  bool holds(double v) const { return low <= v && v <= high; }
};

struct Panel {
  double left, top, width, height; ///< in pixels
  Range xs, ys;                    ///< of the data

  double x(double v) const { return left + (xs.clamp(v) - xs.low) / (xs.high - xs.low) * width; }
  double y(double v) const {
    return top + height - (ys.clamp(v) - ys.low) / (ys.high - ys.low) * height;
  }
  double right() const { return left + width; }
  double bottom() const { return top + height; }

  using Label = std::function<std::string(double)>;
  /// Lines and numbers at round places; an empty label function leaves numbers out.
  void yAxis(estimate::SvgPage &page, const Label &label, double ticks = 5) const;
  void xAxis(estimate::SvgPage &page, const Label &label, double ticks = 5) const;
  void frame(estimate::SvgPage &page) const;
  /// A path of data points, cut at the top and bottom: what leaves the panel runs along its edge.
  std::string path(const estimate::SvgPoints &data) const;
  void dot(estimate::SvgPage &page, std::pair<double, double> at, const std::string &colour) const;
  /// Marks each data point above or below the panel with a triangle at its edge. Returns whether
  /// there was one.
  bool markCut(estimate::SvgPage &page, const estimate::SvgPoints &data,
               const std::string &colour) const;
  /// The path around the area between two series with the same x values; "" if both are empty.
  std::string band(const estimate::SvgPoints &lower, const estimate::SvgPoints &upper) const;
};

} // namespace fathom::assess
#endif
