// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps: what a patch can replace at the line (repair/Place.h); which variables can be read
// there (repair/Scope.h); how the tests end before any patch, and in which states they come to the
// place; expressions for it (repair/Enumerate.h), all in one program (repair/Variants.h), against
// the tests; an order of those that pass (repair/Rank.h); the first of them built as a patch would
// be, tested once more, and explored around the failing tests.
#include "run/repair/MakePatches.h"

#include "repair/Diff.h"
#include "repair/Scope.h"
#include "repair/Tokens.h"
#include "run/Failure.h"
#include "run/repair/RepairExplore.h"
#include "run/repair/RepairValues.h"
#include "support/SourcePlace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace fathom::run {

namespace {

/// One search for patches at a place.
class PatchSearch {
public:
  using Clock = std::chrono::steady_clock;

  PatchSearch(const RepairRequest &request, Session &session)
      : request_(request), session_(session) {}

  llvm::Expected<MadePatches> run() {
    if (llvm::Error e = prepare()) return std::move(e);
    if (request_.maxTime.count()) end_ = Clock::now() + request_.maxTime;
    llvm::Expected<PatchFolder> folder = PatchFolder::open(request_.output, request_.force);
    if (!folder) return folder.takeError();
    output_.emplace(std::move(*folder));
    session_.interruption.begin();
    if (llvm::Error e = program_->testBefore()) return std::move(e);
    if (!program_->failing())
      return usageError(
          fmt::format("--tests: {} before any patch: there is nothing to repair",
                      request_.tests.size() == 1 ? "the test passes" : "all tests pass"));
    if (llvm::Error e = visitHoles()) return std::move(e);
    if (llvm::Error e = searchHoles()) return std::move(e);
    if (llvm::Error e = rankSurvivors()) return std::move(e);
    if (llvm::Error e = verify()) return std::move(e);
    session_.observer.endProgress();
    out_.function = scope_.function;
    out_.failing = program_->failing();
    out_.hasCampaign = campaign_.has_value();
    for (const HoleSearch &search : searches_) out_.holes.push_back(search.report());
    return std::move(out_);
  }

private:
  llvm::Error prepare() {
    if (llvm::Error e = validate(request_)) return e;
    const std::optional<SourcePlace> place = sourcePlaceFrom(request_.at);
    if (!place) return usageError(fmt::format("--at {}: expected FILE:LINE", request_.at));
    line_ = place->line;
    if (!request_.campaign.empty()) {
      auto samples = CampaignSamples::open(request_.campaign);
      if (!samples) return samples.takeError();
      samples_.emplace(std::move(*samples));
      if (llvm::Error e = samples_->requireProgram(request_.programs)) return e;
      campaign_.emplace(*samples_);
    }
    auto program = RepairProgram::make(request_, session_);
    if (!program) return program.takeError();
    program_ = std::move(*program);
    const std::optional<repair::PlaceScope> scope =
        repair::scopeAt(program_->module(), place->file, line_);
    if (!scope)
      return usageError(fmt::format("--at {}: no code of the program at this line", request_.at));
    scope_ = *scope;
    const std::optional<std::string> file = program_->relative(scope_.file);
    if (!file)
      return usageError(fmt::format("--at {}: {} is not below the folder of the sources; name it "
                                    "with --source DIR",
                                    request_.at, scope_.file));
    file_ = *file;
    llvm::Expected<std::string> text = asUsage(program_->subject().sourceText(file_));
    if (!text) return text.takeError();
    source_ = std::move(*text);
    holes_ = repair::holesAt(source_, line_);
    if (holes_.empty())
      return usageError(fmt::format("--at {}: no condition, value or statement that a patch could "
                                    "replace begins at this line",
                                    request_.at));
    return llvm::Error::success();
  }

  bool isOver() const { return session_.interruption.stop || (end_ && Clock::now() >= *end_); }

  /// A failing test that never comes here would fail with every patch.
  llvm::Error visitHoles() {
    std::vector<bool> visited(request_.tests.size());
    bool isKnown = false;
    for (const repair::Hole &hole : holes_) {
      searches_.emplace_back(*program_, file_, source_, hole, scope_.variables, line_);
      llvm::Expected<std::vector<bool>> visits = searches_.back().visit();
      if (!visits) return visits.takeError();
      isKnown = isKnown || !visits->empty();
      for (size_t test = 0; test < visits->size(); ++test)
        if ((*visits)[test]) visited[test] = true;
    }
    for (size_t test = 0; isKnown && test < visited.size(); ++test)
      if (!visited[test] && !program_->before()[test].passes)
        return usageError(fmt::format("--tests '{}': it fails before any patch ({}) and does not "
                                      "come to {}, so no patch there can mend it; leave it out",
                                      request_.tests[test], program_->before()[test].how,
                                      request_.at));
    return llvm::Error::success();
  }

  llvm::Error searchHoles() {
    for (HoleSearch &search : searches_) {
      if (!search.report().problem.empty()) continue;
      session_.observer.progress(fmt::format("{} '{}'", repair::textOf(search.report().hole.kind),
                                             search.report().hole.original));
      if (llvm::Error e =
              search.search({request_.depth, request_.maxCandidates, [this] { return isOver(); }}))
        return e;
    }
    return llvm::Error::success();
  }

  /// Eq. 12: V_delta are the variables of the expression before and after, and what it is assigned
  /// to (by =; the values behind += and the like are not seen).
  llvm::Expected<std::optional<repair::UnchangedProbability>> unchanged(const repair::Hole &hole,
                                                                        const Survivor &survivor) {
    if (!campaign_) return std::nullopt;
    std::vector<std::string> named = repair::tokenTexts(survivor.expression);
    if (hole.kind != repair::HoleKind::Guard)
      for (std::string &word : repair::tokenTexts(hole.original)) named.push_back(std::move(word));
    const std::string both = survivor.expression + "\n" + hole.original;
    repair::SeenValues values;
    llvm::Error failed = llvm::Error::success();
    auto add = [&](const std::string &variable, const std::set<int64_t> &seen) {
      failed = llvm::joinErrors(std::move(failed), campaign_->learn(scope_.function, variable));
      values[bindingName(scope_.function, variable)].insert(seen.begin(), seen.end());
    };
    for (const auto &[place, seen] : survivor.values) {
      if (place.empty()) {
        if (!hole.assigned.empty() && !hole.isUpdate) add(hole.assigned, seen);
      } else if (std::find(named.begin(), named.end(), place) != named.end() ||
                 (repair::tokenTexts(place).size() > 1 && both.find(place) != std::string::npos)) {
        add(place, seen);
      }
    }
    if (failed) return asUsage(std::move(failed));
    return repair::unchangedProbability(campaign_->models(), values);
  }

  llvm::Error rankSurvivors() {
    std::vector<MadePatch> made;
    for (size_t hole = 0; hole < searches_.size(); ++hole)
      for (const Survivor &survivor : searches_[hole].report().survivors) {
        auto known = unchanged(holes_[hole], survivor);
        if (!known) return known.takeError();
        made.push_back({hole, survivor, std::move(*known), "", "", ""});
      }
    std::vector<repair::EditKey> keys;
    for (const MadePatch &patch : made)
      keys.push_back({patch.unchanged, patch.survivor.distance, patch.survivor.exchanged,
                      patch.survivor.size});
    for (const size_t i : repair::rankEdits(keys)) ordered_.push_back(std::move(made[i]));
    return llvm::Error::success();
  }

  /// From the best one on, until there are as many as asked for.
  llvm::Error verify() {
    RepairExplorer explorer(*program_, request_.exploreTime, session_);
    out_.exploredRuns = explorer.runs();
    for (MadePatch &patch : ordered_) {
      if (out_.patches.size() >= request_.keep || isOver()) {
        out_.left.push_back(patch);
        continue;
      }
      session_.observer.progress(fmt::format("checking {}", patch.survivor.expression));
      const std::string after =
          repair::fill(source_, holes_[patch.hole], patch.survivor.expression);
      patch.diff = repair::unifiedDiff(file_, source_, after);
      if (patch.diff.empty()) continue;
      if (llvm::Error e = asUsage(program_->subject().change(file_, after))) return e;
      if (llvm::Error failed = program_->subject().build())
        patch.rejected = "it does not build: " + llvm::toString(std::move(failed));
      else if (const std::optional<TestFailure> failure = program_->failure())
        patch.rejected = failure->text();
      if (patch.rejected.empty()) {
        llvm::Expected<std::string> bug = explorer.bug(program_->subject().program());
        if (!bug) return bug.takeError();
        if (!bug->empty()) patch.rejected = "exploring finds " + *bug;
      }
      if (llvm::Error e = asUsage(program_->subject().restore())) return e;
      if (!patch.rejected.empty()) {
        out_.rejected.push_back(patch);
        continue;
      }
      llvm::Expected<std::string> file = output_->write(out_.patches.size() + 1, patch.diff);
      if (!file) return file.takeError();
      patch.file = std::move(*file);
      out_.patches.push_back(patch);
    }
    // If the search was cut off, there may be patches that it did not find.
    if (!isOver()) output_->removeOld();
    return llvm::Error::success();
  }

  const RepairRequest &request_;
  Session &session_;
  uint32_t line_ = 0;
  std::optional<CampaignSamples> samples_;
  std::optional<CampaignValues> campaign_;
  std::unique_ptr<RepairProgram> program_;
  std::optional<PatchFolder> output_;
  repair::PlaceScope scope_;
  std::string file_, source_;
  std::vector<repair::Hole> holes_;
  std::vector<HoleSearch> searches_;
  std::vector<MadePatch> ordered_;
  MadePatches out_;
  std::optional<Clock::time_point> end_;
};

} // namespace

llvm::Expected<MadePatches> makePatches(const RepairRequest &request, Session &session) {
  return PatchSearch(request, session).run();
}

} // namespace fathom::run
