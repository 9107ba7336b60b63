// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How probable the sides of the program's branches are, by the states that a campaign saw there.
#ifndef FATHOM_RUN_CAMPAIGNODDS_H
#define FATHOM_RUN_CAMPAIGNODDS_H

#include "explore/policy/BranchProbability.h"
#include "program/Code.h"
#include "psp/Paths.h"
#include "run/psp/CampaignSamples.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace fathom::run {

/// Where the campaign sampled paths (--state-samples=paths), a side's probability is that of the
/// executions on whose paths the same clauses held (psp/Paths.h). Else a side's probability is that
/// of the most probable state at the branch that takes it ([psp23] Eq. 6): 1 if the campaign saw
/// one. No estimate has a branch that was not sampled, whose condition is not one of variables, or
/// that shares its place in the source with another.
class CampaignOdds final : public explore::BranchProbability {
public:
  /// Linear in branches and points. Models are learned when they are first asked. A UsageError
  /// where the campaign's database is damaged.
  static llvm::Expected<std::shared_ptr<CampaignOdds>> make(CampaignSamples samples,
                                                            const program::Program &program);
  std::optional<double> ofSide(uint32_t branchId, uint32_t side,
                               std::span<const uint64_t> path) const override;
  /// Keeps a hash of the clauses of each group.
  void took(std::vector<uint64_t> &path, uint32_t branchId, uint32_t side) const override;
  size_t branches() const { return pointOf_.size(); }      ///< that are matched with a point
  const psp::Paths *paths() const { return paths_.get(); } ///< null: none were sampled

  /// What is wrong with the database, if a model could not be learned since; "": nothing.
  const std::string &damage() const { return damage_; }

private:
  CampaignOdds(CampaignSamples samples, std::optional<std::vector<psp::PathEdge>> edges,
               const program::Program &program);
  using Sides = std::array<std::optional<double>, 2>; ///< the condition fails, holds
  Sides learn(uint32_t point) const;

  CampaignSamples samples_;
  std::unique_ptr<const psp::Paths> paths_;
  std::map<uint32_t, uint32_t> pointOf_; ///< by branch
  mutable std::map<uint32_t, Sides> known_;
  mutable std::string damage_;
};

} // namespace fathom::run
#endif
