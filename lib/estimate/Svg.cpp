// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fathom::estimate {

double tickStep(double range, double ticks) {
  double power = std::pow(10, std::floor(std::log10(range / ticks)));
  double lead = range / ticks / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

SvgPage::SvgPage(double width, double height, const std::string &title, double above)
    : out_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
          "viewBox=\"0 {2:.0f} {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
          "fill=\"#222222\">\n"
          "<title>{3}</title>\n<rect y=\"{2:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
          "fill=\"white\"/>\n",
          width, height + above, 0 - above, escaped(title))) {}

std::vector<std::string> wrapped(const std::string &text, double pixels) {
  constexpr double kCharacter = 8; // bold digits and letters, 12 pixels high: 7 to 8
  const auto most = static_cast<size_t>(pixels / kCharacter);
  std::vector<std::string> lines{""};
  size_t width = 0; // in characters, of which UTF-8 may have several bytes
  for (size_t from = 0; from < text.size();) {
    const size_t space = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, space - from);
    const auto letters = static_cast<size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    if (width && width + 1 + letters > most && word[0] != '%') {
      lines.emplace_back();
      width = 0;
    }
    lines.back() += (width ? " " : "") + word;
    width += letters + (width ? 1 : 0);
    from = space + 1;
  }
  return lines;
}

void SvgPage::line(double x1, double y1, double x2, double y2, const char *style) {
  out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                      y1, x2, y2, style);
}

void SvgPage::text(double x, double y, const std::string &content, const char *style) {
  out_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, escaped(content));
}

void SvgPage::slanted(double x, double y, double degrees, const std::string &content,
                      const char *style) {
  out_ += fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate({:g})\" {}>{}</text>\n", x,
                      y, degrees, style, escaped(content));
}

void SvgPage::circle(double x, double y, double radius, const char *style) {
  out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" {}/>\n", x, y, radius, style);
}

void SvgPage::rectangle(double x, double y, double width, double height, const char *style) {
  out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n",
                      x, y, width, height, style);
}

void SvgPage::path(const std::string &d, const char *style) {
  out_ += fmt::format("<path d=\"{}\" {}/>\n", d, style);
}

std::string polyline(const SvgPoints &points) {
  std::string d;
  for (size_t i = 0; i < points.size(); ++i)
    d += fmt::format("{}{:.1f} {:.1f}", i ? " L" : "M", points[i].first, points[i].second);
  return d;
}

} // namespace fathom::estimate
