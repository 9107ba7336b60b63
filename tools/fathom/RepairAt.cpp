// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --at: what is printed of the patches that were made.
#include "RepairModes.h"

#include "run/repair/MakePatches.h"
#include "run/repair/RepairValues.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace fathom::tool {

namespace {

class PatchText {
public:
  PatchText(const RepairFlags &flags, const run::MadePatches &made) : flags_(flags), made_(made) {}

  std::string holeLine(const run::HoleReport &report) const {
    const std::string what =
        fmt::format("{} '{}'", repair::textOf(report.hole.kind), report.hole.original);
    if (!report.problem.empty()) return fmt::format("{}: nothing tried: {}", what, report.problem);
    return fmt::format(
        "{}: {} in {}, {} tested{}, {} pass", what, counted(report.expressions, "expression"),
        report.classes == 1 ? "1 class" : grouped(double(report.classes)) + " classes",
        grouped(double(report.tested)),
        report.cut == run::HoleCut::Time   ? " (the time was over)"
        : report.cut == run::HoleCut::Most ? " (--most)"
        : report.completeDepth < flags_.depth
            ? fmt::format(" (all up to depth {})", report.completeDepth)
            : "",
        report.survivors.size());
  }

  void printText() const {
    fmt::print("{}: {}, {} before any patch\n", flags_.at, counted(flags_.tests.size(), "test"),
               made_.failing == 1 ? "1 fails" : fmt::format("{} fail", made_.failing));
    for (const run::HoleReport &report : made_.holes) {
      fmt::print("  {}\n", holeLine(report));
      if (!report.unused.empty()) fmt::print("    not used: {}\n", fmt::join(report.unused, ", "));
    }
    for (size_t i = 0; i < made_.patches.size(); ++i) {
      const run::MadePatch &patch = made_.patches[i];
      fmt::print("\n{}  {}{} '{}'", i + 1,
                 made_.hasCampaign ? "unchanged " + run::probabilityText(patch.unchanged) + "  "
                                   : "",
                 repair::textOf(made_.holes[patch.hole].hole.kind), patch.survivor.expression);
      const std::string least = patch.unchanged ? run::leastText(*patch.unchanged) : "";
      fmt::print("{}\n{}", least.empty() ? "" : "  (" + least + ")", patch.diff);
    }
    if (!made_.rejected.empty()) fmt::print("\n");
    for (const run::MadePatch &patch : made_.rejected)
      fmt::print("rejected: {} '{}': {}\n", repair::textOf(made_.holes[patch.hole].hole.kind),
                 patch.survivor.expression, patch.rejected);
    fmt::print("\n{} {}, {} rejected, {} not checked{}\n", made_.patches.size(),
               made_.patches.size() == 1 ? "patch" : "patches", made_.rejected.size(),
               made_.left.size(), made_.exploredRuns ? "" : "; nothing was explored");
    if (!made_.patches.empty()) fmt::print("patches: {}\n", flags_.common.output);
  }

  nlohmann::json jsonOf(const run::MadePatch &patch) const {
    nlohmann::json out{{"hole", repair::textOf(made_.holes[patch.hole].hole.kind)},
                       {"original", made_.holes[patch.hole].hole.original},
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

  void printJson() const {
    nlohmann::json list = nlohmann::json::array(), rejected = nlohmann::json::array(),
                   left = nlohmann::json::array(), holes = nlohmann::json::array();
    for (const run::HoleReport &report : made_.holes) {
      holes.push_back({{"kind", repair::textOf(report.hole.kind)},
                       {"original", report.hole.original},
                       {"problem", report.problem},
                       {"expressions", report.expressions},
                       {"classes", report.classes},
                       {"complete_depth", report.completeDepth},
                       {"tested", report.tested},
                       {"cut", report.cut != run::HoleCut::None},
                       {"pass", report.survivors.size()}});
    }
    for (size_t i = 0; i < made_.patches.size(); ++i) {
      nlohmann::json entry = jsonOf(made_.patches[i]);
      entry.update({{"rank", i + 1}, {"file", made_.patches[i].file}});
      list.push_back(std::move(entry));
    }
    for (const run::MadePatch &patch : made_.rejected) {
      nlohmann::json entry = jsonOf(patch);
      entry["reason"] = patch.rejected;
      rejected.push_back(std::move(entry));
    }
    for (const run::MadePatch &patch : made_.left) left.push_back(jsonOf(patch));
    fmt::print("{}\n", nlohmann::json({{"at", flags_.at},
                                       {"function", made_.function},
                                       {"tests", flags_.tests.size()},
                                       {"failing_before", made_.failing},
                                       {"holes", holes},
                                       {"patches", list},
                                       {"rejected", rejected},
                                       {"not_checked", left},
                                       {"explored_runs", made_.exploredRuns}})
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

private:
  const RepairFlags &flags_;
  const run::MadePatches &made_;
};

} // namespace

int runAt(const RepairFlags &flags, const run::RepairRequest &request, Context &context) {
  run::Session session = context.session();
  const run::MadePatches made = orThrow(run::makePatches(request, session));
  const PatchText text(flags, made);
  if (flags.common.json)
    text.printJson();
  else if (!flags.common.quiet)
    text.printText();
  return context.stop ? kInterrupted : kDone;
}

} // namespace fathom::tool
