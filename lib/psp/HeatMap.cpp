// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/HeatMap.h"

#include "estimate/Svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace fathom::psp {

namespace {

constexpr double kLeft = 90, kTop = 56, kWidth = 480, kHeight = 360, kMargin = 60;
constexpr int64_t kColumns = 80, kRows = 60;

/// A variable along one side of the picture, in cells of one or more values each.
struct Axis {
  std::string name;
  int64_t lo = 0, step = 1, cells = 1;
  double pixels = 0;
  Wide value(int64_t cell) const { return Wide(lo) + Wide(cell) * step; }
  double width() const { return pixels / static_cast<double>(cells); }
  double pixel(double value) const {
    return (value - static_cast<double>(lo)) / static_cast<double>(step) * width();
  }
};

/// Around the samples, with room for what their heat reaches.
Axis axisOf(const Model &model, VariableId variable, int64_t most, double pixels) {
  Wide lo = INT64_MAX, hi = INT64_MIN;
  for (const auto &[state, count] : model.samples().counts())
    if (const std::optional<int64_t> value = state.value(variable)) {
      lo = std::min<Wide>(lo, *value);
      hi = std::max<Wide>(hi, *value);
    }
  const Wide room = std::max<Wide>(3, std::min<Wide>(20, (hi - lo) / 4));
  lo = std::max<Wide>(lo - room, INT64_MIN);
  hi = std::min<Wide>(hi + room, INT64_MAX);
  const Wide step = (hi - lo + most) / most;
  return {model.samples().names()[variable], static_cast<int64_t>(lo),
          static_cast<int64_t>(std::min<Wide>(step, INT64_MAX)),
          static_cast<int64_t>((hi - lo) / step + 1), pixels};
}

/// Dark blue, light blue, yellow, red for 0 to 1.
std::string colour(double p) {
  constexpr double kStops[][4] = {{0, 38, 52, 120},
                                  {0.25, 80, 150, 205},
                                  {0.5, 200, 225, 205},
                                  {0.75, 250, 200, 90},
                                  {1, 200, 40, 40}};
  size_t i = 1;
  while (i < 4 && kStops[i][0] < p) ++i;
  const double share =
      std::clamp((p - kStops[i - 1][0]) / (kStops[i][0] - kStops[i - 1][0]), 0.0, 1.0);
  auto mix = [&](int c) {
    return static_cast<int>(
        std::lround(kStops[i - 1][c] + share * (kStops[i][c] - kStops[i - 1][c])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(1), mix(2), mix(3));
}

class Picture {
public:
  Picture(const Model &model, const Region &region, const Condition &condition,
          const HeatMapText &text)
      : model_(model), region_(region), condition_(condition),
        page_(kLeft + kWidth + kMargin + 60, kTop + kHeight + kMargin, text.title) {
    hasTwo_ = model.samples().names().size() > 1;
    y_ = hasTwo_ ? axisOf(model, 0, kRows, kHeight) : Axis{"", 0, 1, 1, kHeight / 4};
    x_ = axisOf(model, hasTwo_ ? 1 : 0, kColumns, kWidth);
    page_.text(kLeft, 20, text.title, "font-weight='bold'");
    page_.text(kLeft, 38, text.subtitle, "fill='#555'");
  }

  std::string draw() {
    cells();
    boundary();
    samples();
    axes();
    legend();
    return page_.finish();
  }

private:
  double left(int64_t column) const { return kLeft + static_cast<double>(column) * x_.width(); }
  double top(int64_t row) const {
    return kTop + y_.pixels - static_cast<double>(row + 1) * y_.width();
  }

  /// A state of a cell: `at` 0 is its least corner, 1 its middle, 2 its greatest one.
  std::optional<State> stateOf(int64_t column, int64_t row, int at) const {
    auto pick = [&](const Axis &axis, int64_t cell) {
      return axis.value(cell) + (axis.step - 1) * Wide(at) / 2;
    };
    const Wide x = pick(x_, column), y = pick(y_, row);
    if (x > INT64_MAX || y > INT64_MAX) return std::nullopt;
    if (!hasTwo_) return State::of({static_cast<int64_t>(x)});
    return State::of({static_cast<int64_t>(y), static_cast<int64_t>(x)});
  }

  /// Does the condition fail in the middle of the cell?
  bool fails(int64_t column, int64_t row) const {
    const std::optional<State> state = stateOf(column, row, 1);
    return state && condition_.evaluate(*state) == Wide(0);
  }

  void cells() {
    for (int64_t row = 0; row < y_.cells; ++row)
      for (int64_t column = 0; column < x_.cells; ++column) {
        double most = 0;
        bool isInside = false;
        for (int at = 0; at < 3; ++at) {
          const std::optional<State> state = stateOf(column, row, at);
          if (!state || (at && x_.step == 1 && y_.step == 1)) continue;
          most = std::max(most, model_.at(*state).probability);
          isInside |= condition_.holds(*state) || region_.contains(*state);
        }
        const std::string style =
            fmt::format("fill='{}'", isInside || most > 0 ? colour(most) : "#c8c8c8");
        page_.rectangle(left(column), top(row), x_.width() + 0.3, y_.width() + 0.3, style.c_str());
      }
  }

  /// Between cells in which it holds and cells in which it fails.
  void boundary() {
    std::string d;
    for (int64_t row = 0; row < y_.cells; ++row)
      for (int64_t column = 0; column < x_.cells; ++column) {
        if (column + 1 < x_.cells && fails(column, row) != fails(column + 1, row))
          d += fmt::format("M{:.1f} {:.1f}v{:.1f}", left(column + 1), top(row), y_.width());
        if (row + 1 < y_.cells && fails(column, row) != fails(column, row + 1))
          d += fmt::format("M{:.1f} {:.1f}h{:.1f}", left(column), top(row), x_.width());
      }
    if (!d.empty()) page_.path(d, "fill='none' stroke='#d00000' stroke-width='1.5'");
  }

  void samples() {
    constexpr size_t kMaxDots = 4000;
    const size_t every = model_.samples().distinct() / kMaxDots + 1;
    size_t number = 0;
    for (const auto &[state, count] : model_.samples().counts()) {
      if (number++ % every) continue;
      const std::optional<int64_t> x = state.value(hasTwo_ ? 1 : 0), y = state.value(0);
      if (!x || !y) continue;
      page_.circle(kLeft + x_.pixel(static_cast<double>(*x)) + x_.width() / 2,
                   hasTwo_ ? kTop + y_.pixels - y_.pixel(static_cast<double>(*y)) - y_.width() / 2
                           : kTop + y_.pixels / 2,
                   1.4, "fill='black'");
    }
  }

  void axes() {
    const double bottom = kTop + y_.pixels;
    for (int i = 0; i <= 4; ++i) {
      const int64_t column = x_.cells * i / 4, row = y_.cells * i / 4;
      page_.text(left(column), bottom + 16, fmt::format("{}", int64_t(x_.value(column))),
                 "text-anchor='middle'");
      if (hasTwo_)
        page_.text(kLeft - 6, bottom - static_cast<double>(row) * y_.width() + 4,
                   fmt::format("{}", int64_t(y_.value(row))), "text-anchor='end'");
    }
    page_.text(kLeft + kWidth / 2, bottom + 36, x_.name, "text-anchor='middle' font-weight='bold'");
    if (hasTwo_)
      page_.slanted(20, kTop + y_.pixels / 2, -90, y_.name,
                    "text-anchor='middle' font-weight='bold'");
  }

  void legend() {
    const double x = kLeft + kWidth + 20;
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps; ++i)
      page_.rectangle(x, kTop + kHeight / 2 * (1 - (i + 1.0) / kSteps), 14,
                      kHeight / 2 / kSteps + 0.3,
                      fmt::format("fill='{}'", colour((i + 0.5) / kSteps)).c_str());
    page_.text(x + 20, kTop + 8, "1", "");
    page_.text(x + 20, kTop + kHeight / 2, "0", "");
    page_.rectangle(x, kTop + kHeight / 2 + 16, 14, 12, "fill='#c8c8c8'");
    page_.text(x + 20, kTop + kHeight / 2 + 26, "excluded", "");
    page_.circle(x + 7, kTop + kHeight / 2 + 44, 2, "fill='black'");
    page_.text(x + 20, kTop + kHeight / 2 + 48, "seen", "");
    page_.line(x, kTop + kHeight / 2 + 66, x + 14, kTop + kHeight / 2 + 66,
               "stroke='#d00000' stroke-width='1.5'");
    page_.text(x + 20, kTop + kHeight / 2 + 70, "fails from", "");
    page_.text(x + 20, kTop + kHeight / 2 + 84, "here on", "");
  }

  const Model &model_;
  const Region &region_;
  const Condition &condition_;
  estimate::SvgPage page_;
  bool hasTwo_ = false;
  Axis x_, y_;
};

} // namespace

std::string heatMap(const Model &model, const Region &region, const Condition &condition,
                    const HeatMapText &text) {
  return Picture(model, region, condition, text).draw();
}

} // namespace fathom::psp
