// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the complete units of a campaign say about what is left, while it runs and at its end.
#ifndef FATHOM_CAMPAIGN_OUTLOOK_H
#define FATHOM_CAMPAIGN_OUTLOOK_H

#include "campaign/Campaign.h"
#include "estimate/Estimate.h"
#include "estimate/Trust.h"

#include <chrono>
#include <future>
#include <optional>
#include <string>

namespace fathom::campaign {

/// Sides that can be reached, and new ones that another hour would find.
struct Outlook {
  uint64_t units = 0;   ///< that it is made of
  uint64_t covered = 0; ///< by the fuzzing stages in these units
  estimate::Listing listing;
  bool allCovered = false; ///< that can be reached
  std::string estimator;
  estimate::Trust trust = estimate::Trust::None;
  std::optional<double> estimate, lower, upper, nextHour;
  std::optional<estimate::Interval> room; ///< for the live line: does not depend on what is trusted
  /// What other estimators say, when it cannot be true as well, and what follows; "": nothing.
  std::string contradiction;
  std::chrono::steady_clock::duration cost{};

  /// Nothing is left to estimate. Seeds cover as well as the fuzzing stages do, of which alone
  /// estimates are made.
  bool isAllCovered(const CampaignStatus &status) const;
  /// Estimates are made of complete units and fuzzing stages. Seeds may cover what no input that
  /// AFL++ has made covers yet: more is found then than they say can be reached.
  static bool isOvertaken(double estimate, const CampaignStatus &status);
};

/// As fathom estimate has it. `database`: campaign.db. `final`: with the intervals that take
/// seconds.
Outlook lookAhead(const std::string &database, const CoverageCounts &coverage, bool final);

/// The outlook of a running campaign. It is made anew only when there is a new unit, and so seldom
/// that it takes next to no time, on a thread of its own: the thread that asks drives the campaign.
class LiveOutlook {
public:
  explicit LiveOutlook(std::string database) : database_(std::move(database)) {}
  const Outlook &at(const CampaignStatus &status); ///< may be of units before

private:
  std::string database_;
  Outlook outlook_;
  std::future<Outlook> pending_;
  std::chrono::steady_clock::time_point next_; ///< not before
};

} // namespace fathom::campaign
#endif
