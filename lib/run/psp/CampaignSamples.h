// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of a campaign, as program state probability takes them.
#ifndef FATHOM_RUN_CAMPAIGNSAMPLES_H
#define FATHOM_RUN_CAMPAIGNSAMPLES_H

#include "campaign/SqliteStore.h"
#include "psp/Condition.h"
#include "psp/Paths.h"
#include "psp/Samples.h"

#include "llvm/Support/Error.h"

namespace fathom::run {

/// A condition and the samples of its variables only, whose ids it uses.
struct Projected {
  psp::Samples samples;
  psp::Condition condition;
};

class CampaignSamples {
public:
  /// \param folder  a results folder of fathom fuzz. A UsageError: there is no campaign in it, or
  /// one
  ///                without --state-samples.
  static llvm::Expected<CampaignSamples> open(const std::string &folder);

  /// A UsageError: the campaign was of another program, or of another build.
  llvm::Error requireProgram(const std::vector<std::string> &program) const;
  const std::vector<campaign::StatePoint> &points() const { return points_; }
  /// Is there a point of this kind?
  bool has(campaign::PointKind kind) const;
  /// Those at FILE:LINE; column 0: any.
  std::vector<uint32_t> at(const std::string &file, uint32_t line, uint32_t column = 0) const;
  /// Whether the program has code of its own at this line. Fails as `of` does.
  llvm::Expected<bool> hasCode(const std::string &file, uint32_t line) const;
  /// All variables of the point, in its order. A UsageError where the database is damaged.
  llvm::Expected<psp::Samples> of(uint32_t point) const;
  /// What the point asks, with the variables of that only. Absent: it asks nothing, or nothing
  /// about variables that were sampled. Fails as `of` does.
  llvm::Expected<std::optional<Projected>> conditionOf(uint32_t point) const;
  /// The tree of paths, without the identities behind its edges; absent: none were sampled. Fails
  /// as `of` does.
  llvm::Expected<std::optional<std::vector<psp::PathEdge>>> paths() const;
  const std::string &folder() const { return folder_; }

private:
  CampaignSamples(std::string folder, campaign::SqliteStore store,
                  std::vector<campaign::StatePoint> points);

  std::string folder_;
  campaign::SqliteStore store_;
  std::vector<campaign::StatePoint> points_;
};

/// Absent: the condition has no variable.
std::optional<Projected> project(const psp::Samples &samples, const psp::Condition &condition);

/// "i = 2, b[i] = 19"
std::string stateText(const psp::State &state, const std::vector<std::string> &names);

} // namespace fathom::run
#endif
