// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every picture needs: an SVG page to draw lines and text on, and ticks at round numbers.
#ifndef FATHOM_ESTIMATE_SVG_H
#define FATHOM_ESTIMATE_SVG_H

#include <string>
#include <utility>
#include <vector>

namespace fathom::estimate {

/// 1, 2 or 5 times a power of ten, for about so many ticks. REQUIRES range > 0.
double tickStep(double range, double ticks = 5);

using SvgPoints = std::vector<std::pair<double, double>>;

/// A white page, 12 pixel sans-serif. `style`: attributes of the element, as SVG has them.
class SvgPage {
public:
  /// \param above  so much more room above y = 0, for what need not be there.
  SvgPage(double width, double height, const std::string &title, double above = 0);
  void line(double x1, double y1, double x2, double y2, const char *style);
  void text(double x, double y, const std::string &content, const char *style);
  /// Turned by `degrees` around its anchor.
  void slanted(double x, double y, double degrees, const std::string &content, const char *style);
  void circle(double x, double y, double radius, const char *style);
  void rectangle(double x, double y, double width, double height, const char *style);
  void path(const std::string &d, const char *style);
  /// The whole document.
  std::string finish() const { return out_ + "</svg>\n"; }

private:
  std::string out_;
};

/// Cut at spaces, but for those before "%", into lines of at most so many pixels in the page's
/// font, as wide as bold text is.
std::vector<std::string> wrapped(const std::string &text, double pixels);

/// The d of a path along these points; "" for none.
std::string polyline(const SvgPoints &points);

} // namespace fathom::estimate
#endif
