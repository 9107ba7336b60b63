// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a fuzzing campaign comes to: the line while it runs, the summary, and the same for programs.
#ifndef FATHOM_REPORT_CAMPAIGNTEXT_H
#define FATHOM_REPORT_CAMPAIGNTEXT_H

#include "campaign/Outlook.h"
#include "report/Sarif.h"

#include <string>
#include <vector>

namespace fathom::report {

struct CampaignSummary {
  const campaign::CampaignStatus &status;
  const campaign::Outlook &outlook; ///< the final one
  const std::vector<Finding> &findings;
  std::string howEnded;
  double totalSeconds = 0; ///< with what was built, started and estimated
  BugListing listing{};
};

std::string campaignProgress(const campaign::CampaignStatus &status, const campaign::Outlook &now,
                             size_t bugs);
/// \param program, folder  as the user named them.
/// \param checked          the command that fuzzes the same with AddressSanitizer; empty: this
///                         campaign did.
std::string campaignText(const CampaignSummary &summary, const std::string &program,
                         const std::string &folder, const std::string &checked);
std::string campaignJson(const CampaignSummary &summary);

/// Over the whole session, from the first execution on.
double executionRate(const campaign::CampaignStatus &status);

} // namespace fathom::report
#endif
