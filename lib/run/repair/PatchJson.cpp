// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/PatchText.h"

#include <nlohmann/json.hpp>

namespace fathom::run {

static nlohmann::json jsonOf(const MadePatches &made, const MadePatch &patch) {
  nlohmann::json out{{"hole", repair::textOf(made.holes[patch.hole].hole.kind)},
                     {"original", made.holes[patch.hole].hole.original},
                     {"expression", patch.survivor.expression},
                     {"distance", patch.survivor.distance},
                     {"exchanged", patch.survivor.exchanged},
                     {"size", patch.survivor.size}};
  if (!patch.diff.empty()) out["diff"] = patch.diff;
  if (patch.unchanged)
    out.update({{"unchanged", patch.unchanged->probability},
                {"unchanged_log", patch.unchanged->logarithm},
                {"bindings", patch.unchanged->bindings}});
  return out;
}

std::string madeJson(const RepairRequest &request, const MadePatches &made) {
  nlohmann::json list = nlohmann::json::array(), rejected = nlohmann::json::array(),
                 left = nlohmann::json::array(), holes = nlohmann::json::array();
  for (const HoleReport &report : made.holes) {
    holes.push_back({{"kind", repair::textOf(report.hole.kind)},
                     {"original", report.hole.original},
                     {"problem", report.problem},
                     {"expressions", report.expressions},
                     {"classes", report.classes},
                     {"complete_depth", report.completeDepth},
                     {"tested", report.tested},
                     {"cut", report.cut != HoleCut::None},
                     {"pass", report.survivors.size()}});
  }
  for (size_t i = 0; i < made.patches.size(); ++i) {
    nlohmann::json entry = jsonOf(made, made.patches[i]);
    entry.update({{"rank", i + 1}, {"file", made.patches[i].file}});
    list.push_back(std::move(entry));
  }
  for (const MadePatch &patch : made.rejected) {
    nlohmann::json entry = jsonOf(made, patch);
    entry["reason"] = patch.rejected;
    rejected.push_back(std::move(entry));
  }
  for (const MadePatch &patch : made.left) left.push_back(jsonOf(made, patch));
  return nlohmann::json({{"at", request.at},
                         {"function", made.function},
                         {"tests", request.tests.size()},
                         {"failing_before", made.failing},
                         {"holes", holes},
                         {"patches", list},
                         {"rejected", rejected},
                         {"not_checked", left},
                         {"explored_runs", made.exploredRuns}})
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

std::string rankedJson(const RankedPatches &all) {
  nlohmann::json list = nlohmann::json::array(), out = nlohmann::json::array();
  for (size_t i = 0; i < all.ranked.size(); ++i) {
    const RankedPatch &patch = all.ranked[i];
    nlohmann::json entry{{"rank", i + 1}, {"rank_unchanged", patch.alone}, {"patch", patch.name}};
    if (patch.unchanged)
      entry.update({{"unchanged", patch.unchanged->probability},
                    {"unchanged_log", patch.unchanged->logarithm},
                    {"bindings", patch.unchanged->bindings}});
    if (patch.score)
      entry.update({{"score", *patch.score}, {"score_normalised", *patch.normalised}});
    if (all.hasScores) entry["right"] = combinedOf(patch);
    list.push_back(std::move(entry));
  }
  for (const RankedPatch &patch : all.rejected)
    out.push_back({{"patch", patch.name}, {"reason", patch.rejected}});
  return nlohmann::json({{"patches", list}, {"left_out", out}})
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

} // namespace fathom::run
