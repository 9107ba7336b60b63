// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fathom fuzz says: the live status line, the summary, and the same for programs.
#ifndef FATHOM_TOOLS_FUZZTEXT_H
#define FATHOM_TOOLS_FUZZTEXT_H

#include "campaign/Campaign.h"
#include "estimate/Estimate.h"
#include "estimate/Trust.h"
#include "report/Sarif.h"

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace fathom::tool {

/// What the complete units say about what is left is kept between calls: it is made anew only when
/// there is a new unit, and, for the live line, so seldom that it takes next to no time, on a
/// thread of its own: who asks for the line drives the campaign.
class FuzzText {
public:
  /// \param database  campaign.db, of which estimates are made as fathom estimate makes them.
  /// \param began     when the user's waiting did: what is built and started counts for that.
  FuzzText(std::string database, std::chrono::steady_clock::time_point began)
      : database_(std::move(database)), began_(began) {}
  std::string progress(const campaign::CampaignStatus &status,
                       const std::vector<report::Finding> &findings);
  /// \param checked  the command that fuzzes the same with AddressSanitizer; empty: this campaign
  ///                 did.
  std::string summary(const campaign::CampaignStatus &status,
                      const std::vector<report::Finding> &findings, const std::string &howEnded,
                      const std::string &program, const std::string &folder,
                      const std::string &checked);
  std::string json(const campaign::CampaignStatus &status,
                   const std::vector<report::Finding> &findings, const std::string &howEnded);

private:
  /// Sides that can be reached, and new ones that another hour would find.
  struct Outlook {
    uint64_t units = 0;   ///< that it is made of
    bool final = false;   ///< with the intervals that take seconds: what fathom estimate says
    uint64_t covered = 0; ///< by the fuzzing stages in these units
    estimate::Listing listing;
    bool allCovered = false; ///< that can be reached
    std::string estimator;
    estimate::Trust trust = estimate::Trust::None;
    std::optional<double> estimate, lower, upper, nextHour;
    std::optional<estimate::Interval>
        room;                  ///< for the live line: does not depend on what is trusted
    std::string contradiction; ///< what another estimator says, when it cannot be true as well
    std::chrono::steady_clock::duration cost{};
  };
  static Outlook lookAhead(const std::string &database, uint64_t units, double unitSeconds,
                           bool final);
  /// Nothing is left to estimate.
  static bool isAllCovered(const Outlook &now, const campaign::CampaignStatus &status);
  static std::string reachableText(const Outlook &now, const campaign::CampaignStatus &status);
  const Outlook &live(const campaign::CampaignStatus &status); ///< may be of units before
  const Outlook &last(const campaign::CampaignStatus &status); ///< of all units

  double totalSeconds() const;

  std::string database_;
  std::chrono::steady_clock::time_point began_;
  Outlook outlook_;
  std::future<Outlook> pending_;
  std::chrono::steady_clock::time_point next_; ///< not before, while the campaign runs
};

} // namespace fathom::tool
#endif
