// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom estimate: how many elements a campaign can reach, by every estimator.
#ifndef FATHOM_RUN_ESTIMATE_H
#define FATHOM_RUN_ESTIMATE_H

#include "campaign/CampaignFlow.h"
#include "estimate/Analysis.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace fathom::run {

struct EstimateRequest {
  /// A campaign.db, an incidence matrix (CSV), a file of frequency counts (JSON), or a folder with
  /// one of these.
  std::string input;
  std::string of;        ///< kind of elements, of kElementKinds; "": branch sides
  std::string stages;    ///< "fuzzing", "all"; "": fuzzing
  std::string elements;  ///< what they are called, in the plural; "": as they are known
  uint32_t joined = 1;   ///< so many consecutive units are one
  uint32_t first = 0;    ///< only so many units; 0: all
  uint64_t targets = 0;  ///< so many nearest branch sides
  double executions = 0; ///< in all units of a matrix; 0: unknown
  estimate::AnalysisOptions options;
};

struct CampaignEstimate {
  estimate::Analysis analysis;
  std::string noun; ///< what elements are called
  std::optional<campaign::CampaignTargets> targets;
};

/// A UsageError: the input cannot be read, or does not have what the request needs.
llvm::Expected<CampaignEstimate> estimateCampaign(const EstimateRequest &request);

/// For people, and for programs.
std::string estimateText(const CampaignEstimate &done);
std::string estimateJson(const CampaignEstimate &done);

} // namespace fathom::run
#endif
