// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RepairModes.h"

#include "RepairValues.h"
#include "Status.h"

#include "program/SourceNames.h"
#include "repair/Diff.h"
#include "repair/Scope.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fathom::tool {

namespace fs = std::filesystem;

namespace {

struct RankedPatch {
  std::string path; ///< absolute
  std::string name;
  std::optional<double> score, normalised;
  std::string rejected; ///< why; "": it is in the order
  bool isTested = false;
  std::optional<TestFailure> failure; ///< why, if it is a test
  std::optional<repair::Unchanged> unchanged;
  size_t alone = 0; ///< place by Eq. 12, from 1
};

/// The number in PATCH.score or, with another ending, NAME.score; absent: there is none.
std::optional<double> scoreOf(const fs::path &patch) {
  for (fs::path path :
       {fs::path(patch.string() + ".score"), fs::path(patch).replace_extension(".score")}) {
    auto data = llvm::MemoryBuffer::getFile(path.string());
    if (!data) continue;
    double score = 0;
    if ((*data)->getBuffer().trim().getAsDouble(score) || !std::isfinite(score))
      throw UsageError(fmt::format("--rank: {}: expected one number, a score", path.string()));
    return score;
  }
  return std::nullopt;
}

std::vector<RankedPatch> patchesIn(const std::string &folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    throw UsageError(fmt::format("--rank {}: expected a folder of patches", folder));
  std::vector<RankedPatch> out;
  for (auto at = fs::directory_iterator(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string ending = at->path().extension().string();
    if (ending != ".patch" && ending != ".diff") continue;
    RankedPatch patch;
    patch.path = absolutePath(at->path().string());
    patch.name = at->path().filename().string();
    patch.score = scoreOf(at->path());
    out.push_back(std::move(patch));
  }
  if (failed)
    throw UsageError(fmt::format("--rank {}: cannot be read: {}", folder, failed.message()));
  if (out.empty())
    throw UsageError(fmt::format("--rank {}: no .patch or .diff file in this folder", folder));
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
  Ranking(const RepairFlags &flags, Context &context)
      : flags_(flags), samples_(orThrow(run::CampaignSamples::open(flags.campaign))),
        campaign_(samples_), context_(context) {
    orThrow(samples_.requireProgram(flags.programs));
    patches_ = patchesIn(flags.rank);
    program_.emplace(flags, context);
  }

  int run() {
    context_.catchInterrupts();
    Status status(!flags_.common.quiet);
    program_->testBefore();
    size_t done = 0;
    for (RankedPatch &patch : patches_) {
      status.show(fmt::format("patch {} of {}: {}", ++done, patches_.size(), patch.name));
      patch.rejected = look(patch);
      orUsage(program_->subject().restore());
      if (context_.stop) return kInterrupted;
    }
    status.clear();
    requireTestsThatCanPass();
    sort();
    if (flags_.common.json)
      printJson();
    else if (!flags_.common.quiet)
      printText();
    return kDone;
  }

private:
  /// "" or why it is not in the order.
  std::string look(RankedPatch &patch) {
    llvm::Expected<std::vector<repair::DiffHunk>> hunks = program_->subject().apply(patch.path);
    if (!hunks) return llvm::toString(hunks.takeError());
    if (llvm::Error failed = program_->subject().build())
      return "it does not build: " + llvm::toString(std::move(failed));
    patch.isTested = true;
    patch.failure = program_->failure();
    if (patch.failure) return patch.failure->text();
    patch.unchanged = unchanged(patch, *hunks);
    return "";
  }

  /// Eq. 12 over the variables that the patch names and the functions that it changes have.
  std::optional<repair::Unchanged> unchanged(const RankedPatch &patch,
                                             const std::vector<repair::DiffHunk> &hunks) {
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
    TestedValues tested = testedValues(*program_, functions);
    if (tested.dropped)
      context_.log.warn(fmt::format("{}: of the states that the tests have, {} had no room; its "
                                    "probability does not count them",
                                    patch.name, tested.dropped));
    repair::SeenValues named;
    for (auto &[binding, seen] : tested.values) {
      const std::string variable = variableOf(binding);
      // `i` is a word of the lines, `b[i]` a part of them.
      const bool isNamed = std::binary_search(names.begin(), names.end(), variable) ||
                           (program::isPlaceName(variable) &&
                            changed.find(withoutSpaces(variable)) != std::string::npos);
      if (!isNamed) continue;
      campaign_.learn(binding.substr(0, binding.find('\t')), variable);
      named[binding] = std::move(seen);
    }
    return repair::unchanged(campaign_.models(), named);
  }

  /// A test that fails before any patch and with each is not what the patches are about.
  void requireTestsThatCanPass() const {
    const auto tested = std::ranges::count_if(patches_, &RankedPatch::isTested);
    for (size_t test = 0; test < program_->before().size(); ++test) {
      const auto failing = std::ranges::count_if(patches_, [&](const RankedPatch &patch) {
        return patch.failure && patch.failure->test == test;
      });
      if (tested && failing == tested && !program_->before()[test].passes)
        throw UsageError(fmt::format("--tests '{}': it fails before any patch ({}), and with each "
                                     "patch; leave out what these patches are not to repair",
                                     flags_.tests[test], program_->before()[test].how));
    }
  }

  void sort() {
    for (RankedPatch &patch : patches_)
      (patch.rejected.empty() ? ranked_ : rejected_).push_back(patch);
    std::vector<std::optional<double>> scores;
    for (const RankedPatch &patch : ranked_) scores.push_back(patch.score);
    const std::vector<std::optional<double>> normalised = repair::normalised(scores);
    std::vector<repair::RankKey> keys(ranked_.size());
    for (size_t i = 0; i < ranked_.size(); ++i) keys[i].unchanged = ranked_[i].unchanged;
    const std::vector<size_t> alone = repair::order(keys);
    for (size_t i = 0; i < alone.size(); ++i) ranked_[alone[i]].alone = i + 1;
    for (size_t i = 0; i < ranked_.size(); ++i)
      ranked_[i].normalised = keys[i].score = normalised[i];
    std::vector<RankedPatch> sorted;
    for (const size_t i : repair::order(keys)) sorted.push_back(ranked_[i]);
    ranked_ = std::move(sorted);
    hasScores_ = std::any_of(scores.begin(), scores.end(),
                             [](const std::optional<double> &score) { return score.has_value(); });
  }

  static double combinedOf(const RankedPatch &patch) {
    return repair::combined(patch.normalised, patch.unchanged
                                                  ? std::optional(patch.unchanged->probability)
                                                  : std::nullopt);
  }

  void printText() const {
    if (!program_->failing())
      context_.log.warn("no test fails before any patch: what the patches repair is not tested");
    fmt::print("{}\n", hasScores_ ? "rank   right  unchanged  (rank)   score  patch"
                                  : "rank  unchanged  patch");
    for (size_t i = 0; i < ranked_.size(); ++i) {
      const RankedPatch &patch = ranked_[i];
      const std::string p = probabilityText(patch.unchanged);
      if (hasScores_)
        fmt::print("{:4}  {:.4f}  {:>9}  {:>6}  {:>6}  {}\n", i + 1, combinedOf(patch), p,
                   fmt::format("({})", patch.alone),
                   patch.normalised ? fmt::format("{:.4f}", *patch.normalised) : "-", patch.name);
      else
        fmt::print("{:4}  {:>9}  {}\n", i + 1, p, patch.name);
      if (!patch.unchanged)
        fmt::print("        no estimate: the campaign sampled no variable that it names\n");
      else if (const std::string least = leastText(*patch.unchanged); !least.empty())
        fmt::print("        {}\n", least);
    }
    for (const RankedPatch &patch : rejected_)
      fmt::print("   -  {}: {}\n", patch.name, patch.rejected);
    fmt::print("\n{} in the order, {} left out\n", ranked_.size(), rejected_.size());
  }

  void printJson() const {
    nlohmann::json list = nlohmann::json::array(), out = nlohmann::json::array();
    for (size_t i = 0; i < ranked_.size(); ++i) {
      const RankedPatch &patch = ranked_[i];
      nlohmann::json entry{{"rank", i + 1}, {"rank_unchanged", patch.alone}, {"patch", patch.name}};
      if (patch.unchanged)
        entry.update({{"unchanged", patch.unchanged->probability},
                      {"unchanged_log", patch.unchanged->logarithm},
                      {"bindings", patch.unchanged->bindings}});
      if (patch.score)
        entry.update({{"score", *patch.score}, {"score_normalised", *patch.normalised}});
      if (hasScores_) entry["right"] = combinedOf(patch);
      list.push_back(std::move(entry));
    }
    for (const RankedPatch &patch : rejected_)
      out.push_back({{"patch", patch.name}, {"reason", patch.rejected}});
    fmt::print("{}\n", nlohmann::json({{"patches", list}, {"left_out", out}})
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  const RepairFlags &flags_;
  run::CampaignSamples samples_;
  CampaignValues campaign_;
  Context &context_;
  std::vector<RankedPatch> patches_, ranked_, rejected_;
  std::optional<RepairProgram> program_;
  bool hasScores_ = false;
};

} // namespace

int runRank(const RepairFlags &flags, Context &context) { return Ranking(flags, context).run(); }

} // namespace fathom::tool
