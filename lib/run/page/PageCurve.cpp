// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageCurve.h"

#include "estimate/Trust.h"
#include "report/Files.h"
#include "run/estimate/Estimate.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::run::page {

static constexpr size_t kMostPoints = 500;

std::vector<CurvePoint> thinned(const std::vector<CurvePoint> &points, size_t most) {
  if (points.size() <= most) return points;
  std::vector<CurvePoint> out;
  const double span = points.back().x - points.front().x;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto slot = [&](const CurvePoint &at) {
      return span > 0 ? static_cast<size_t>((at.x - points.front().x) / span *
                                            static_cast<double>(most - 2))
                      : 0;
    };
    if (i == 0 || i + 1 == points.size() || slot(points[i]) != slot(points[i - 1]))
      out.push_back(points[i]);
  }
  return out;
}

/// Columns of stats.csv by their names. False: they are not there.
static bool readStatistics(llvm::StringRef text, std::vector<CurvePoint> &points) {
  int at = 0, time = -1, sides = -1;
  auto [head, rest] = text.split('\n');
  llvm::SmallVector<llvm::StringRef, 16> cells;
  head.split(cells, ',');
  for (const llvm::StringRef name : cells) {
    if (name == "wall_seconds") time = at;
    if (name == "branches_covered") sides = at;
    ++at;
  }
  if (time < 0 || sides < 0) return false;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    cells.clear();
    line.split(cells, ',');
    CurvePoint point;
    if (cells.size() > static_cast<size_t>(std::max(time, sides)) &&
        !cells[static_cast<size_t>(time)].getAsDouble(point.x) &&
        !cells[static_cast<size_t>(sides)].getAsDouble(point.y))
      points.push_back(point);
  }
  return true;
}

static void addExploration(const Part &part, PageData &data) {
  llvm::Expected<std::string> text = report::readFile(part.folder + "/stats.csv");
  Series series{part.by, part.folder, {}};
  if (!text)
    data.missing.push_back(llvm::toString(text.takeError()));
  else if (!readStatistics(*text, series.points))
    data.missing.push_back(part.folder + "/stats.csv: no columns wall_seconds, branches_covered");
  if (series.points.empty()) return;
  series.points = thinned(series.points, kMostPoints);
  data.curve.series.push_back(std::move(series));
}

/// What fathom estimate says of the campaign.
static void addEstimate(const CampaignFacts &facts, PageData &data) {
  EstimateRequest request;
  request.input = facts.folder + "/campaign.db";
  llvm::Expected<CampaignEstimate> done = estimateCampaign(request);
  if (!done) {
    data.curve.noEstimate = llvm::toString(done.takeError());
    return;
  }
  const estimate::Analysis &analysis = done->analysis;
  const estimate::TrustedEstimate *best = analysis.best();
  const std::optional<double> value = analysis.bestValue();
  if (!best || !value) {
    data.curve.noEstimate = "No estimator has an answer for so few units.";
    return;
  }
  Estimate out;
  out.folder = facts.folder;
  out.estimator = best->named.name();
  out.trust = estimate::trustName(best->trust);
  out.value = *value;
  out.observed = static_cast<double>(analysis.counts.observed());
  if (const auto interval = best->widened.interval(0.90)) {
    out.low = interval->lower;
    out.high = interval->upper;
  }
  const double seconds = facts.moments.empty() ? 0 : facts.moments.back().seconds;
  const double unit =
      facts.moments.empty() ? 0 : seconds / static_cast<double>(facts.moments.size());
  // 1.645 standard errors to either side: nine curves of ten.
  for (const estimate::CurvePoint &at : analysis.curve)
    out.band.push_back({static_cast<double>(at.units) * unit,
                        std::max(0.0, at.value - 1.645 * at.se), at.value,
                        at.value + 1.645 * at.se});
  data.curve.estimate = std::move(out);
}

void collectCurve(const std::vector<CampaignFacts> &campaigns, PageData &data) {
  for (const CampaignFacts &facts : campaigns) {
    Series series{By::Fuzz, facts.folder, {{0, 0}}};
    for (const CampaignFacts::Moment &moment : facts.moments)
      series.points.push_back({moment.seconds, static_cast<double>(moment.sides)});
    series.points = thinned(series.points, kMostPoints);
    if (series.points.size() > 1) data.curve.series.push_back(std::move(series));
    if (!data.curve.estimate) addEstimate(facts, data);
  }
  if (campaigns.empty())
    data.curve.noEstimate = "Only a fuzzing campaign can be estimated: its units are samples, the "
                            "paths of an exploration are not.";
  for (const Part &part : data.parts)
    if (part.by == By::Explore) addExploration(part, data);
  if (data.curve.isUnion) return;
  // Not all sides are known by their numbers: the part that covered most speaks for all.
  for (const Part &part : data.parts) {
    const auto covered = part.totals.find("branches_covered");
    const auto total = part.totals.find("branches_total");
    if (covered == part.totals.end() || total == part.totals.end()) continue;
    const auto count = static_cast<uint64_t>(covered->second);
    if (data.curve.total && count <= data.curve.covered) continue;
    data.curve.covered = count;
    data.curve.total = static_cast<uint64_t>(total->second);
  }
}

} // namespace fathom::run::page
