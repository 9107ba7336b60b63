// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --rank: what is printed of the order.
#include "RepairModes.h"

#include "run/repair/RankPatches.h"
#include "run/repair/RepairValues.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fathom::tool {

static double combinedOf(const run::RankedPatch &patch) {
  return repair::combined(patch.normalised, patch.unchanged
                                                ? std::optional(patch.unchanged->probability)
                                                : std::nullopt);
}

static void printText(const run::RankedPatches &all, Log &log) {
  if (!all.failing)
    log.warn("no test fails before any patch: what the patches repair is not tested");
  fmt::print("{}\n", all.hasScores ? "rank   right  unchanged  (rank)   score  patch"
                                   : "rank  unchanged  patch");
  for (size_t i = 0; i < all.ranked.size(); ++i) {
    const run::RankedPatch &patch = all.ranked[i];
    const std::string p = run::probabilityText(patch.unchanged);
    if (all.hasScores)
      fmt::print("{:4}  {:.4f}  {:>9}  {:>6}  {:>6}  {}\n", i + 1, combinedOf(patch), p,
                 fmt::format("({})", patch.alone),
                 patch.normalised ? fmt::format("{:.4f}", *patch.normalised) : "-", patch.name);
    else
      fmt::print("{:4}  {:>9}  {}\n", i + 1, p, patch.name);
    if (!patch.unchanged)
      fmt::print("        no estimate: the campaign sampled no variable that it names\n");
    else if (const std::string least = run::leastText(*patch.unchanged); !least.empty())
      fmt::print("        {}\n", least);
  }
  for (const run::RankedPatch &patch : all.rejected)
    fmt::print("   -  {}: {}\n", patch.name, patch.rejected);
  fmt::print("\n{} in the order, {} left out\n", all.ranked.size(), all.rejected.size());
}

static void printJson(const run::RankedPatches &all) {
  nlohmann::json list = nlohmann::json::array(), out = nlohmann::json::array();
  for (size_t i = 0; i < all.ranked.size(); ++i) {
    const run::RankedPatch &patch = all.ranked[i];
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
  for (const run::RankedPatch &patch : all.rejected)
    out.push_back({{"patch", patch.name}, {"reason", patch.rejected}});
  fmt::print("{}\n", nlohmann::json({{"patches", list}, {"left_out", out}})
                         .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int runRank(const RepairFlags &flags, const run::RepairRequest &request, Context &context) {
  run::Session session = context.session();
  const run::RankedPatches all = orThrow(run::rankPatches(request, session));
  if (context.stop) return kInterrupted;
  if (flags.common.json)
    printJson(all);
  else if (!flags.common.quiet)
    printText(all, context.log);
  return kDone;
}

} // namespace fathom::tool
