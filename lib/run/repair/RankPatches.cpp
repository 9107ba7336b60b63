// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RankPatches.h"

#include "program/SourceNames.h"
#include "repair/Diff.h"
#include "repair/Scope.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/repair/RepairValues.h"
#include "support/Folder.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fathom::run {

namespace fs = std::filesystem;

namespace {

/// The number in PATCH.score or, with another ending, NAME.score; absent: there is none.
llvm::Expected<std::optional<double>> scoreOf(const fs::path &patch) {
  for (fs::path path :
       {fs::path(patch.string() + ".score"), fs::path(patch).replace_extension(".score")}) {
    auto data = llvm::MemoryBuffer::getFile(path.string());
    if (!data) continue;
    double score = 0;
    if ((*data)->getBuffer().trim().getAsDouble(score) || !std::isfinite(score))
      return usageError(fmt::format("--rank: {}: expected one number, a score", path.string()));
    return std::optional(score);
  }
  return std::optional<double>();
}

llvm::Expected<std::vector<RankedPatch>> patchesIn(const std::string &folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return usageError(fmt::format("--rank {}: expected a folder of patches", folder));
  std::vector<RankedPatch> out;
  for (const fs::directory_entry &entry : entriesOf(folder, failed)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".patch" && ending != ".diff") continue;
    RankedPatch patch;
    patch.path = absolutePath(entry.path().string());
    patch.name = entry.path().filename().string();
    llvm::Expected<std::optional<double>> score = scoreOf(entry.path());
    if (!score) return score.takeError();
    patch.score = *score;
    out.push_back(std::move(patch));
  }
  if (failed)
    return usageError(fmt::format("--rank {}: cannot be read: {}", folder, failed.message()));
  if (out.empty())
    return usageError(fmt::format("--rank {}: no .patch or .diff file in this folder", folder));
  std::sort(out.begin(), out.end(),
            [](const RankedPatch &a, const RankedPatch &b) { return a.name < b.name; });
  return out;
}

std::string withoutSpaces(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

class Ranking {
public:
  Ranking(const RepairRequest &request, Session &session) : request_(request), session_(session) {}

  llvm::Expected<RankedPatches> run() {
    if (llvm::Error e = prepare()) return std::move(e);
    session_.interruption.begin();
    if (llvm::Error e = program_->testBefore()) return std::move(e);
    size_t done = 0;
    for (RankedPatch &patch : patches_) {
      session_.observer.progress(
          fmt::format("patch {} of {}: {}", ++done, patches_.size(), patch.name));
      llvm::Expected<std::string> why = look(patch);
      if (!why) return why.takeError();
      patch.rejected = std::move(*why);
      if (llvm::Error e = asUsage(program_->subject().restore())) return std::move(e);
      if (session_.interruption.stop) return std::move(out_);
    }
    session_.observer.endProgress();
    if (llvm::Error e = requireTestsThatCanPass()) return std::move(e);
    sort();
    out_.failing = program_->failing();
    return std::move(out_);
  }

private:
  llvm::Error prepare() {
    if (llvm::Error e = validate(request_)) return e;
    llvm::Expected<CampaignSamples> samples = CampaignSamples::open(request_.campaign);
    if (!samples) return samples.takeError();
    samples_.emplace(std::move(*samples));
    campaign_.emplace(*samples_);
    if (llvm::Error e = samples_->requireProgram(request_.programs)) return e;
    llvm::Expected<std::vector<RankedPatch>> patches = patchesIn(request_.rank);
    if (!patches) return patches.takeError();
    patches_ = std::move(*patches);
    auto program = RepairProgram::make(request_, session_);
    if (!program) return program.takeError();
    program_ = std::move(*program);
    return llvm::Error::success();
  }

  /// "" or why it is not in the order.
  llvm::Expected<std::string> look(RankedPatch &patch) {
    llvm::Expected<std::vector<repair::DiffHunk>> hunks = program_->subject().apply(patch.path);
    if (!hunks) return llvm::toString(hunks.takeError());
    if (llvm::Error failed = program_->subject().build())
      return "it does not build: " + llvm::toString(std::move(failed));
    patch.isTested = true;
    patch.failure = program_->failure();
    if (patch.failure) return patch.failure->text();
    auto known = unchanged(patch, *hunks);
    if (!known) return known.takeError();
    patch.unchanged = std::move(*known);
    return std::string();
  }

  /// Eq. 12 over the variables that the patch names and the functions that it changes have.
  llvm::Expected<std::optional<repair::UnchangedProbability>>
  unchanged(const RankedPatch &patch, const std::vector<repair::DiffHunk> &hunks) {
    const std::vector<std::string> names = repair::changedNames(hunks);
    std::string changed;
    std::set<std::string> functions;
    for (const repair::DiffHunk &hunk : hunks) {
      for (const std::vector<std::string> *lines : {&hunk.removed, &hunk.added})
        for (const std::string &line : *lines) changed += withoutSpaces(line) + "\n";
      for (const uint32_t line : hunk.lines)
        if (std::string name = repair::functionAround(program_->module(), hunk.oldFile, line);
            !name.empty())
          functions.insert(std::move(name));
    }
    llvm::Expected<TestedValues> tested = testedValues(*program_, functions);
    if (!tested) return tested.takeError();
    if (tested->dropped)
      session_.observer.warn(
          fmt::format("{}: of the states that the tests have, {} had no room; its "
                      "probability does not count them",
                      patch.name, tested->dropped));
    repair::SeenValues named;
    for (auto &[binding, seen] : tested->values) {
      const std::string variable = variableOf(binding);
      // `i` is a word of the lines, `b[i]` a part of them.
      const bool isNamed = std::binary_search(names.begin(), names.end(), variable) ||
                           (program::isPlaceName(variable) &&
                            changed.find(withoutSpaces(variable)) != std::string::npos);
      if (!isNamed) continue;
      if (llvm::Error e = campaign_->learn(binding.substr(0, binding.find('\t')), variable))
        return std::move(e);
      named[binding] = std::move(seen);
    }
    return repair::unchangedProbability(campaign_->models(), named);
  }

  /// A test that fails before any patch and with each is not what the patches are about.
  llvm::Error requireTestsThatCanPass() const {
    const auto tested = std::ranges::count_if(patches_, &RankedPatch::isTested);
    for (size_t test = 0; test < program_->before().size(); ++test) {
      const auto failing = std::ranges::count_if(patches_, [&](const RankedPatch &patch) {
        return patch.failure && patch.failure->test == test;
      });
      if (tested && failing == tested && !program_->before()[test].passes)
        return usageError(fmt::format("--tests '{}': it fails before any patch ({}), and with each "
                                      "patch; leave out what these patches are not to repair",
                                      request_.tests[test], program_->before()[test].how));
    }
    return llvm::Error::success();
  }

  void sort() {
    for (RankedPatch &patch : patches_)
      (patch.rejected.empty() ? out_.ranked : out_.rejected).push_back(patch);
    std::vector<std::optional<double>> scores;
    for (const RankedPatch &patch : out_.ranked) scores.push_back(patch.score);
    const std::vector<std::optional<double>> normalised = repair::normalisedScores(scores);
    std::vector<repair::RankKey> keys(out_.ranked.size());
    for (size_t i = 0; i < out_.ranked.size(); ++i) keys[i].unchanged = out_.ranked[i].unchanged;
    const std::vector<size_t> alone = repair::rankPatches(keys);
    for (size_t i = 0; i < alone.size(); ++i) out_.ranked[alone[i]].alone = i + 1;
    for (size_t i = 0; i < out_.ranked.size(); ++i)
      out_.ranked[i].normalised = keys[i].score = normalised[i];
    std::vector<RankedPatch> sorted;
    for (const size_t i : repair::rankPatches(keys)) sorted.push_back(out_.ranked[i]);
    out_.ranked = std::move(sorted);
    out_.hasScores =
        std::any_of(scores.begin(), scores.end(),
                    [](const std::optional<double> &score) { return score.has_value(); });
  }

  const RepairRequest &request_;
  Session &session_;
  std::optional<CampaignSamples> samples_;
  std::optional<CampaignValues> campaign_;
  std::vector<RankedPatch> patches_;
  std::unique_ptr<RepairProgram> program_;
  RankedPatches out_;
};

} // namespace

llvm::Expected<RankedPatches> rankPatches(const RepairRequest &request, Session &session) {
  return Ranking(request, session).run();
}

} // namespace fathom::run
