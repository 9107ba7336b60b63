// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Pictures.h"

#include <fmt/format.h>

namespace fathom::assess {

using namespace estimate;

namespace {

constexpr const char *kLevelColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

const char *levelColour(size_t level) { return kLevelColours[level % std::size(kLevelColours)]; }

std::string shareLabel(const Share &share) {
  return fmt::format("{:.0f} % of {}", 100 * *share.value(), share.of);
}

} // namespace

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

} // namespace fathom::assess
