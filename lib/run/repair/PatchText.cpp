// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/PatchText.h"

#include "run/repair/RepairValues.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom::run {

static std::string holeLine(const RepairRequest &request, const HoleReport &report) {
  const std::string what =
      fmt::format("{} '{}'", repair::textOf(report.hole.kind), report.hole.original);
  if (!report.problem.empty()) return fmt::format("{}: nothing tried: {}", what, report.problem);
  return fmt::format("{}: {} in {}, {} tested{}, {} pass", what,
                     counted(report.expressions, "expression"),
                     report.classes == 1 ? "1 class" : grouped(double(report.classes)) + " classes",
                     grouped(double(report.tested)),
                     report.cut == HoleCut::Time   ? " (the time was over)"
                     : report.cut == HoleCut::Most ? " (--most)"
                     : report.completeDepth < request.depth
                         ? fmt::format(" (all up to depth {})", report.completeDepth)
                         : "",
                     report.survivors.size());
}

std::string madeText(const RepairRequest &request, const MadePatches &made) {
  std::string out;
  out += fmt::format("{}: {}, {} before any patch\n", request.at,
                     counted(request.tests.size(), "test"),
                     made.failing == 1 ? "1 fails" : fmt::format("{} fail", made.failing));
  for (const HoleReport &report : made.holes) {
    out += fmt::format("  {}\n", holeLine(request, report));
    if (!report.unused.empty())
      out += fmt::format("    not used: {}\n", fmt::join(report.unused, ", "));
  }
  for (size_t i = 0; i < made.patches.size(); ++i) {
    const MadePatch &patch = made.patches[i];
    out +=
        fmt::format("\n{}  {}{} '{}'", i + 1,
                    made.hasCampaign ? "unchanged " + probabilityText(patch.unchanged) + "  " : "",
                    repair::textOf(made.holes[patch.hole].hole.kind), patch.survivor.expression);
    const std::string least = patch.unchanged ? leastText(*patch.unchanged) : "";
    out += fmt::format("{}\n{}", least.empty() ? "" : "  (" + least + ")", patch.diff);
  }
  if (!made.rejected.empty()) out += fmt::format("\n");
  for (const MadePatch &patch : made.rejected)
    out += fmt::format("rejected: {} '{}': {}\n", repair::textOf(made.holes[patch.hole].hole.kind),
                       patch.survivor.expression, patch.rejected);
  out += fmt::format("\n{} {}, {} rejected, {} not checked{}\n", made.patches.size(),
                     made.patches.size() == 1 ? "patch" : "patches", made.rejected.size(),
                     made.left.size(), made.exploredRuns ? "" : "; nothing was explored");
  if (!made.patches.empty()) out += fmt::format("patches: {}\n", request.output);
  return out;
}

double combinedOf(const RankedPatch &patch) {
  return repair::probabilityOfRight(patch.normalised,
                                    patch.unchanged ? std::optional(patch.unchanged->probability)
                                                    : std::nullopt);
}

std::string rankedText(const RankedPatches &all) {
  std::string out;
  out += fmt::format("{}\n", all.hasScores ? "rank   right  unchanged  (rank)   score  patch"
                                           : "rank  unchanged  patch");
  for (size_t i = 0; i < all.ranked.size(); ++i) {
    const RankedPatch &patch = all.ranked[i];
    const std::string p = probabilityText(patch.unchanged);
    if (all.hasScores)
      out += fmt::format("{:4}  {:.4f}  {:>9}  {:>6}  {:>6}  {}\n", i + 1, combinedOf(patch), p,
                         fmt::format("({})", patch.alone),
                         patch.normalised ? fmt::format("{:.4f}", *patch.normalised) : "-",
                         patch.name);
    else
      out += fmt::format("{:4}  {:>9}  {}\n", i + 1, p, patch.name);
    if (!patch.unchanged)
      out += fmt::format("        no estimate: the campaign sampled no variable that it names\n");
    else if (const std::string least = leastText(*patch.unchanged); !least.empty())
      out += fmt::format("        {}\n", least);
  }
  for (const RankedPatch &patch : all.rejected)
    out += fmt::format("   -  {}: {}\n", patch.name, patch.rejected);
  out += fmt::format("\n{} in the order, {} left out\n", all.ranked.size(), all.rejected.size());
  return out;
}

} // namespace fathom::run
