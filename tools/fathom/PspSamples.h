// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of a campaign, as program state probability takes them.
#ifndef FATHOM_TOOLS_PSPSAMPLES_H
#define FATHOM_TOOLS_PSPSAMPLES_H

#include "campaign/SqliteStore.h"
#include "psp/Condition.h"
#include "psp/Paths.h"
#include "psp/Samples.h"

namespace fathom::tool {

/// A condition and the samples of its variables only, whose ids it uses.
struct Projected {
  psp::Samples samples;
  psp::Condition condition;
};

class PspSamples {
public:
  /// \param folder  a results folder of fathom fuzz. Throws UsageError: there is no campaign in it,
  ///                or one without --state-samples.
  explicit PspSamples(const std::string &folder);

  /// Throws UsageError: the campaign was of another program, or of another build.
  void requireProgram(const std::vector<std::string> &program) const;
  const std::vector<campaign::StatePoint> &points() const { return points_; }
  /// Is there a point of this kind?
  bool has(campaign::PointKind kind) const;
  /// Those at FILE:LINE; column 0: any.
  std::vector<uint32_t> at(const std::string &file, uint32_t line, uint32_t column = 0) const;
  /// Whether the program has code of its own at this line.
  bool hasCode(const std::string &file, uint32_t line) const;
  /// All variables of the point, in its order. Throws UsageError where the database is damaged.
  psp::Samples of(uint32_t point) const;
  /// What the point asks, with the variables of that only. Absent: it asks nothing, or nothing
  /// about variables that were sampled. Throws as `of` does.
  std::optional<Projected> conditionOf(uint32_t point) const;
  /// The tree of paths, without the identities behind its edges; absent: none were sampled. Throws
  /// as `of` does.
  std::optional<std::vector<psp::PathEdge>> paths() const;
  const std::string &folder() const { return folder_; }

private:
  std::string folder_;
  campaign::SqliteStore store_;
  std::vector<campaign::StatePoint> points_;
};

/// Absent: the condition has no variable.
std::optional<Projected> project(const psp::Samples &samples, const psp::Condition &condition);

/// "i = 2, b[i] = 19"
std::string stateText(const psp::State &state, const std::vector<std::string> &names);

} // namespace fathom::tool
#endif
