// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/AnalysisJson.h"
#include "run/estimate/Estimate.h"

#include <nlohmann/json.hpp>

namespace fathom::run {

/// Inserts the member "targets" into the object that `json` is.
static std::string withTargets(const std::string &json, const campaign::CampaignTargets &targets) {
  nlohmann::ordered_json all = nlohmann::ordered_json::parse(json);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const campaign::Target &target : targets.nearest)
    list.push_back({{"element", target.name}, {"chance", target.chance}});
  all["targets"] = {{"expected_new", targets.expected}, {"nearest", std::move(list)}};
  return all.dump(2) + "\n";
}

std::string estimateJson(const CampaignEstimate &done) {
  const std::string out = estimate::analysisJson(done.analysis);
  return done.targets ? withTargets(out, *done.targets) : out;
}

} // namespace fathom::run
