// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/AnalysisText.h"
#include "run/estimate/Estimate.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace fathom::run {

static std::string targetsText(const campaign::CampaignTargets &targets, const std::string &ahead) {
  std::string out = fmt::format("\njudging by control flow, expect {:.1f} new branch sides in {}; "
                                "the nearest, with the chance that one more unit covers each:\n",
                                targets.expected, ahead);
  for (const campaign::Target &target : targets.nearest) {
    // "function:file:line:column:side#id", as the campaign's database names elements.
    auto [place, id] = llvm::StringRef(target.name).rsplit('#');
    auto [at, side] = place.rsplit(':');
    auto [function, where] = at.split(':');
    out += fmt::format("  {:>6.2f} %  {} side {} in {}\n", 100 * target.chance, where.str(),
                       side.str(), function.str());
  }
  if (targets.nearest.empty())
    out += "  none: no uncovered branch side can be reached by control flow\n";
  return out;
}

std::string estimateText(const CampaignEstimate &done) {
  const std::string out = estimate::analysisText(done.analysis, done.noun);
  if (!done.targets) return out;
  return out + targetsText(*done.targets, fmt::format("the next {} units", done.analysis.ahead));
}

} // namespace fathom::run
