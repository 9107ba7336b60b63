// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/AnalysisJson.h"

#include "estimate/Calibration.h"
#include "estimate/GoodToulmin.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fathom::estimate {

using Json = nlohmann::ordered_json;

static Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

/// "0.90", "0.95", "0.999"
static std::string levelKey(double level) {
  std::string two = fmt::format("{:.2f}", level), all = fmt::format("{}", level);
  return all.size() > two.size() ? all : two;
}

static Json intervals(const Estimate &estimate, const std::vector<double> &levels) {
  if (!estimate.band) return nullptr;
  Json result = Json::object();
  for (double level : levels) {
    Interval interval = *estimate.interval(level);
    result[levelKey(level)] = {number(interval.lower), number(interval.upper)};
  }
  return result;
}

static Json estimateJson(const Estimate &estimate, const std::vector<double> &levels) {
  Json result;
  result["status"] = statusName(estimate.status);
  result["estimate"] = number(estimate.value);
  result["raw"] = number(estimate.raw);
  result["se"] = number(estimate.se);
  result["ci"] = intervals(estimate, levels);
  result["reason"] = estimate.reason.empty() ? Json(nullptr) : Json(estimate.reason);
  return result;
}

static Json unitsJson(const UnitAnalysis &units, const std::vector<double> &levels) {
  Json result;
  result["units_with_singleton"] = units.discovery.unitsWithSingleton;
  result["discovery_probability"] = units.discovery.estimate;
  result["discovery_probability_upper"] = units.discovery.upper;
  result["block_size"] = units.discovery.blockSize;
  result["listed"] = units.listed;
  result["classes"] = units.classes;
  result["design_effect"] = units.designEffect;
  result["block_chao2"] = estimateJson(units.blocks, levels);
  return result;
}

std::string analysisJson(const Analysis &analysis) {
  std::vector<double> levels{0.90, 0.95};
  for (double level : analysis.options.levels)
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
  const FrequencyCounts &counts = analysis.counts;
  Json out;
  out["units"] = counts.units();
  out["observed"] = counts.observed();
  out["incidences"] = counts.incidences();
  out["singletons"] = counts.count(1);
  out["doubletons"] = counts.count(2);
  out["sample_coverage"] = analysis.sampleCoverage;
  Json &stop = out["stop_rule"];
  stop["singletons_le_doubletons"] = analysis.singletonsAtMostDoubletons;
  // A key is always there, and null where the input does not say: few units, or counts alone.
  stop["window"] = analysis.units ? Json(analysis.options.stopWindow) : Json(nullptr);
  stop["since_unit"] = analysis.units && analysis.units->stop.since
                           ? Json(analysis.units->stop.since)
                           : Json(nullptr);
  Json &estimators = out["estimators"];
  for (const TrustedEstimate &entry : analysis.estimates) {
    Json &one = estimators[entry.named.key()] = estimateJson(entry.named.estimate, levels);
    one["trust"] = trustName(entry.trust);
    one["remark"] = entry.remark;
    one["se_blocks"] = analysis.units ? number(entry.widened.se) : Json(nullptr);
    one["ci_blocks"] = analysis.units ? intervals(entry.widened, levels) : Json(nullptr);
  }
  out["elements"] = number(analysis.elements);
  out["executions"] = analysis.units ? number(analysis.units->executions) : Json(nullptr);
  out["spread"] = nullptr;
  if (const std::optional<EstimateSpread> spread = analysis.spread())
    out["spread"] = {{"of_rarity", spread->rarities
                                       ? Json({spread->ofRarity.lower, spread->ofRarity.upper})
                                       : Json(nullptr)},
                     {"of_programs", number(spread->ofPrograms)},
                     {"estimators", spread->count()},
                     {"contradicted", spread->isContradicted},
                     {"disputed", spread->isDisputed}};
  out["doubling"] = nullptr;
  if (analysis.gain)
    out["doubling"] = {
        {"gain", analysis.gain->value},
        {"range", {analysis.gain->range.lower, analysis.gain->range.upper}},
        {"worth", isWorthGoingOn(analysis.gain->value, static_cast<double>(counts.observed()))}};
  const std::optional<Interval> room = analysis.room();
  out["room"] = room ? Json({room->lower, room->upper}) : Json(nullptr);
  out["listing"] = nullptr;
  if (analysis.listing)
    out["listing"] = {{"unreachable", analysis.listing->unreachable},
                      {"covered_apart", analysis.listing->coveredApart}};
  const Calibration &calibration = builtinCalibration();
  out["calibration"] = {{"programs", calibration.programs},
                        {"campaigns", calibration.scores.size()},
                        {"constant_share", calibration.share()}};
  const TrustedEstimate *best = analysis.best();
  out["most_trusted"] = best ? Json(best->named.key()) : Json(nullptr);
  out["variation"] = analysis.variation;
  out["discovery_rate"] = analysis.discoveryRate;
  out["missing_mass"] = {{"good_turing", analysis.missingMass.goodTuring},
                         {"second_order", analysis.missingMass.secondOrder},
                         {"combined", analysis.missingMass.combined}};
  Json next = estimateJson(analysis.expectedNew, levels);
  next["units"] = analysis.ahead;
  next["good_toulmin"] = goodToulmin(counts, analysis.ahead);
  out["expected_new"] = next;
  out["units_to_reach"] = {{"0.95", number(analysis.unitsTo95)},
                           {"0.99", number(analysis.unitsTo99)}};
  if (analysis.trend)
    out["rate_trend"] = {{"exponent", analysis.trend->exponent},
                         {"rate", analysis.trend->rate},
                         {"expected_new", analysis.trend->expectedNew(double(analysis.ahead))},
                         {"asymptote", number(analysis.trend->asymptote())},
                         {"residual", analysis.trend->residual}};
  else
    out["rate_trend"] = nullptr;
  for (const char *ofUnits : {"dependence", "drift", "regroupings", "resets"})
    out[ofUnits] = nullptr;
  if (analysis.units) {
    out["dependence"] = unitsJson(*analysis.units, levels);
    if (const auto &drift = analysis.units->drift)
      out["drift"] = {{"first_half_mean", drift->firstMean},
                      {"second_half_mean", drift->secondMean},
                      {"p", drift->comparison.p},
                      {"effect", drift->comparison.effect}};
    Json regroupings = Json::array();
    if (best)
      for (const TrustedEstimate::Regrouping &regrouping : best->regroupings) {
        Json one = estimateJson(regrouping.estimate, levels);
        one["unit"] = regrouping.r;
        one["mutual"] = regrouping.agreement ? Json(regrouping.agreement->mutual) : Json(nullptr);
        one["overlap"] = regrouping.agreement ? Json(regrouping.agreement->overlap) : Json(nullptr);
        regroupings.push_back(one);
      }
    out["regroupings"] = regroupings;
    Json resets = Json::array();
    for (const auto &reset : analysis.units->resets) {
      Json one = estimateJson(reset.estimate, levels);
      one["from_unit"] = reset.from + 1;
      resets.push_back(one);
    }
    out["resets"] = resets;
  }
  Json curve = Json::array();
  for (const CurvePoint &point : analysis.curve)
    curve.push_back({{"units", point.units}, {"elements", point.value}, {"se", point.se}});
  out["curve"] = curve;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace fathom::estimate
