// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fathom fuzz says: the live status line, the summary, and the same for programs.
#ifndef FATHOM_TOOLS_FUZZTEXT_H
#define FATHOM_TOOLS_FUZZTEXT_H

#include "campaign/Campaign.h"
#include "report/Sarif.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::tool {

/// What the complete units say about what is left. Kept between calls: made anew only when there is
/// a new unit.
class FuzzText {
public:
  /// \param database  the campaign's, from which summary and json take the whole matrix.
  explicit FuzzText(std::string database) : database_(std::move(database)) {}
  std::string progress(const campaign::CampaignStatus &status, size_t bugs);
  std::string summary(const campaign::CampaignStatus &status,
                      const std::vector<report::Finding> &findings, const std::string &howEnded,
                      const std::string &program, const std::string &folder);
  std::string json(const campaign::CampaignStatus &status,
                   const std::vector<report::Finding> &findings, const std::string &howEnded);

private:
  /// Sides that can be reached, and new ones that another hour would find.
  struct Outlook {
    uint64_t units = 0; ///< that it is made of
    std::string estimator;
    std::optional<double> estimate, lower, upper, nextHour;
  };
  enum class From { Counts, Matrix };
  const Outlook &outlook(const campaign::CampaignStatus &status, From from);

  std::string database_;
  From from_ = From::Counts; ///< what outlook_ is made of
  Outlook outlook_;
};

} // namespace fathom::tool
#endif
