// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps: what a patch can replace at the line (repair/Place.h); which variables can be read
// there (repair/Scope.h); how the tests end before any patch, and in which states they come to the
// place; expressions for it (repair/Enumerate.h), all in one program (repair/Variants.h), against
// the tests; an order of those that pass (repair/Rank.h); the first of them built as a patch would
// be, tested once more, and explored around the failing tests.
#include "RepairModes.h"

#include "RepairExplore.h"
#include "RepairHole.h"
#include "RepairValues.h"
#include "Status.h"

#include "repair/Diff.h"
#include "repair/Scope.h"
#include "repair/Tokens.h"
#include "support/NumberText.h"
#include "support/SourcePlace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace fathom::tool {

namespace {

using Clock = std::chrono::steady_clock;

struct MadePatch {
  size_t hole = 0;
  Survivor survivor;
  std::optional<repair::Unchanged> unchanged;
  std::string diff, file; ///< file: written to
  std::string rejected;   ///< why; "": it is a patch
};

class AtSearch {
public:
  AtSearch(const RepairFlags &flags, Context &context) : flags_(flags), context_(context) {
    const std::optional<SourcePlace> place = sourcePlaceFrom(flags.at);
    if (!place) throw UsageError(fmt::format("--at {}: expected FILE:LINE", flags.at));
    line_ = place->line;
    if (!flags.campaign.empty()) {
      samples_.emplace(orThrow(run::CampaignSamples::open(flags.campaign)));
      orThrow(samples_->requireProgram(flags.programs));
      campaign_.emplace(*samples_);
    }
    program_.emplace(flags, context);
    const std::optional<repair::PlaceScope> scope =
        repair::scopeAt(program_->module(), place->file, line_);
    if (!scope)
      throw UsageError(fmt::format("--at {}: no code of the program at this line", flags.at));
    scope_ = *scope;
    const std::optional<std::string> file = program_->relative(scope_.file);
    if (!file)
      throw UsageError(fmt::format("--at {}: {} is not below the folder of the sources; name it "
                                   "with --source DIR",
                                   flags.at, scope_.file));
    file_ = *file;
    source_ = orUsage(program_->subject().sourceText(file_));
    holes_ = repair::holesAt(source_, line_);
    if (holes_.empty())
      throw UsageError(fmt::format("--at {}: no condition, value or statement that a patch could "
                                   "replace begins at this line",
                                   flags.at));
  }

  int run() {
    if (const std::chrono::milliseconds time = flags_.common.time(); time.count())
      end_ = Clock::now() + time;
    output_.emplace(flags_.common);
    context_.catchInterrupts();
    program_->testBefore();
    if (!program_->failing())
      throw UsageError(
          fmt::format("--tests: {} before any patch: there is nothing to repair",
                      flags_.tests.size() == 1 ? "the test passes" : "all tests pass"));
    visitHoles();
    searchHoles();
    rankSurvivors();
    verify();
    status_.clear();
    if (flags_.common.json)
      printJson();
    else if (!flags_.common.quiet)
      printText();
    return context_.stop ? kInterrupted : kDone;
  }

private:
  bool isOver() const { return context_.stop || (end_ && Clock::now() >= *end_); }

  /// A failing test that never comes here would fail with every patch.
  void visitHoles() {
    std::vector<bool> visited(flags_.tests.size());
    bool isKnown = false;
    for (const repair::Hole &hole : holes_) {
      searches_.emplace_back(*program_, file_, source_, hole, scope_.variables, line_);
      const std::vector<bool> visits = searches_.back().visit();
      isKnown = isKnown || !visits.empty();
      for (size_t test = 0; test < visits.size(); ++test)
        if (visits[test]) visited[test] = true;
    }
    for (size_t test = 0; isKnown && test < visited.size(); ++test)
      if (!visited[test] && !program_->before()[test].passes)
        throw UsageError(fmt::format("--tests '{}': it fails before any patch ({}) and does not "
                                     "come to {}, so no patch there can mend it; leave it out",
                                     flags_.tests[test], program_->before()[test].how, flags_.at));
  }

  void searchHoles() {
    for (HoleSearch &search : searches_) {
      if (!search.report().problem.empty()) continue;
      status_.show(fmt::format("{} '{}'", repair::textOf(search.report().hole.kind),
                               search.report().hole.original));
      search.search({flags_.depth, flags_.most, [this] { return isOver(); }});
    }
  }

  /// Eq. 12: V_delta are the variables of the expression before and after, and what it is assigned
  /// to (by =; the values behind += and the like are not seen).
  std::optional<repair::Unchanged> unchanged(const repair::Hole &hole, const Survivor &survivor) {
    if (!campaign_) return std::nullopt;
    std::vector<std::string> named = repair::wordsOf(survivor.expression);
    if (hole.kind != repair::HoleKind::Guard)
      for (std::string &word : repair::wordsOf(hole.original)) named.push_back(std::move(word));
    const std::string both = survivor.expression + "\n" + hole.original;
    repair::SeenValues values;
    auto add = [&](const std::string &variable, const std::set<int64_t> &seen) {
      campaign_->learn(scope_.function, variable);
      values[bindingName(scope_.function, variable)].insert(seen.begin(), seen.end());
    };
    for (const auto &[place, seen] : survivor.values) {
      if (place.empty()) {
        if (!hole.assigned.empty() && !hole.isUpdate) add(hole.assigned, seen);
      } else if (std::find(named.begin(), named.end(), place) != named.end() ||
                 (repair::wordsOf(place).size() > 1 && both.find(place) != std::string::npos)) {
        add(place, seen);
      }
    }
    return repair::unchanged(campaign_->models(), values);
  }

  void rankSurvivors() {
    std::vector<MadePatch> made;
    for (size_t hole = 0; hole < searches_.size(); ++hole)
      for (const Survivor &survivor : searches_[hole].report().survivors)
        made.push_back({hole, survivor, unchanged(holes_[hole], survivor), "", "", ""});
    std::vector<repair::EditKey> keys;
    for (const MadePatch &patch : made)
      keys.push_back({patch.unchanged, patch.survivor.distance, patch.survivor.exchanged,
                      patch.survivor.size});
    for (const size_t i : repair::orderOfEdits(keys)) ordered_.push_back(std::move(made[i]));
  }

  /// From the best one on, until there are as many as asked for.
  void verify() {
    RepairExplorer explorer(*program_, flags_.explored, context_);
    exploredRuns_ = explorer.runs();
    for (MadePatch &patch : ordered_) {
      if (patches_.size() >= flags_.keep || isOver()) {
        left_.push_back(patch);
        continue;
      }
      status_.show(fmt::format("checking {}", patch.survivor.expression));
      const std::string after =
          repair::fill(source_, holes_[patch.hole], patch.survivor.expression);
      patch.diff = repair::unifiedDiff(file_, source_, after);
      if (patch.diff.empty()) continue;
      orUsage(program_->subject().change(file_, after));
      if (llvm::Error failed = program_->subject().build())
        patch.rejected = "it does not build: " + llvm::toString(std::move(failed));
      else if (const std::optional<TestFailure> failure = program_->failure())
        patch.rejected = failure->text();
      if (patch.rejected.empty())
        if (const std::string bug = explorer.bug(program_->subject().program()); !bug.empty())
          patch.rejected = "exploring finds " + bug;
      orUsage(program_->subject().restore());
      if (!patch.rejected.empty()) {
        rejected_.push_back(patch);
        continue;
      }
      patch.file = output_->write(patches_.size() + 1, patch.diff);
      patches_.push_back(patch);
    }
    // Of a search that was cut off, it is not known that there is no patch.
    if (!isOver()) output_->removeOld();
  }

  std::string holeLine(const HoleReport &report) const {
    const std::string what =
        fmt::format("{} '{}'", repair::textOf(report.hole.kind), report.hole.original);
    if (!report.problem.empty()) return fmt::format("{}: nothing tried: {}", what, report.problem);
    return fmt::format(
        "{}: {} in {}, {} tested{}, {} pass", what, counted(report.expressions, "expression"),
        report.classes == 1 ? "1 class" : grouped(double(report.classes)) + " classes",
        grouped(double(report.tested)),
        report.cut == Cut::Time   ? " (the time was over)"
        : report.cut == Cut::Most ? " (--most)"
        : report.completeDepth < flags_.depth
            ? fmt::format(" (all up to depth {})", report.completeDepth)
            : "",
        report.survivors.size());
  }

  void printText() const {
    fmt::print("{}: {}, {} before any patch\n", flags_.at, counted(flags_.tests.size(), "test"),
               program_->failing() == 1 ? "1 fails" : fmt::format("{} fail", program_->failing()));
    for (const HoleSearch &search : searches_) {
      fmt::print("  {}\n", holeLine(search.report()));
      if (!search.report().unused.empty())
        fmt::print("    not used: {}\n", fmt::join(search.report().unused, ", "));
    }
    for (size_t i = 0; i < patches_.size(); ++i) {
      const MadePatch &patch = patches_[i];
      fmt::print("\n{}  {}{} '{}'", i + 1,
                 campaign_ ? "unchanged " + probabilityText(patch.unchanged) + "  " : "",
                 repair::textOf(holes_[patch.hole].kind), patch.survivor.expression);
      const std::string least = patch.unchanged ? leastText(*patch.unchanged) : "";
      fmt::print("{}\n{}", least.empty() ? "" : "  (" + least + ")", patch.diff);
    }
    if (!rejected_.empty()) fmt::print("\n");
    for (const MadePatch &patch : rejected_)
      fmt::print("rejected: {} '{}': {}\n", repair::textOf(holes_[patch.hole].kind),
                 patch.survivor.expression, patch.rejected);
    fmt::print("\n{} {}, {} rejected, {} not checked{}\n", patches_.size(),
               patches_.size() == 1 ? "patch" : "patches", rejected_.size(), left_.size(),
               exploredRuns_ ? "" : "; nothing was explored");
    if (!patches_.empty()) fmt::print("patches: {}\n", flags_.common.output);
  }

  nlohmann::json jsonOf(const MadePatch &patch) const {
    nlohmann::json out{{"hole", repair::textOf(holes_[patch.hole].kind)},
                       {"original", holes_[patch.hole].original},
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
    for (const HoleSearch &search : searches_) {
      const HoleReport &report = search.report();
      holes.push_back({{"kind", repair::textOf(report.hole.kind)},
                       {"original", report.hole.original},
                       {"problem", report.problem},
                       {"expressions", report.expressions},
                       {"classes", report.classes},
                       {"complete_depth", report.completeDepth},
                       {"tested", report.tested},
                       {"cut", report.cut != Cut::None},
                       {"pass", report.survivors.size()}});
    }
    for (size_t i = 0; i < patches_.size(); ++i) {
      nlohmann::json entry = jsonOf(patches_[i]);
      entry.update({{"rank", i + 1}, {"file", patches_[i].file}});
      list.push_back(std::move(entry));
    }
    for (const MadePatch &patch : rejected_) {
      nlohmann::json entry = jsonOf(patch);
      entry["reason"] = patch.rejected;
      rejected.push_back(std::move(entry));
    }
    for (const MadePatch &patch : left_) left.push_back(jsonOf(patch));
    fmt::print("{}\n", nlohmann::json({{"at", flags_.at},
                                       {"function", scope_.function},
                                       {"tests", flags_.tests.size()},
                                       {"failing_before", program_->failing()},
                                       {"holes", holes},
                                       {"patches", list},
                                       {"rejected", rejected},
                                       {"not_checked", left},
                                       {"explored_runs", exploredRuns_}})
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  const RepairFlags &flags_;
  Context &context_;
  uint32_t line_ = 0;
  std::optional<run::CampaignSamples> samples_;
  std::optional<CampaignValues> campaign_;
  std::optional<RepairProgram> program_;
  std::optional<PatchFolder> output_;
  repair::PlaceScope scope_;
  std::string file_, source_;
  std::vector<repair::Hole> holes_;
  std::vector<HoleSearch> searches_;
  std::vector<MadePatch> ordered_, patches_, rejected_, left_; ///< left_: not checked
  size_t exploredRuns_ = 0;
  std::optional<Clock::time_point> end_;
  Status status_{!flags_.common.quiet};
};

} // namespace

int runAt(const RepairFlags &flags, Context &context) { return AtSearch(flags, context).run(); }

} // namespace fathom::tool
