// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reports that are to be confirmed: the files that a user names, and which of their reports.
#ifndef FATHOM_RUN_REPORTCHOICE_H
#define FATHOM_RUN_REPORTCHOICE_H

#include "run/confirm/ConfirmRequest.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <set>

namespace fathom::run {

/// A UsageError: one cannot be read, or lacks what ConfirmRequest::onlyNew needs.
llvm::Expected<std::vector<std::unique_ptr<confirm::ReportFile>>>
openReports(const ConfirmRequest &request);

/// Which reports are wanted: --only and --only-new.
class WantedReports {
public:
  explicit WantedReports(const ConfirmRequest &request)
      : only_(request.only), onlyNew_(request.onlyNew), isUsed_(only_.size()),
        places_(only_.size()) {}

  bool operator()(const confirm::Defect &defect);

  /// After all reports were seen. A misspelt rule would leave nothing to check, or less than is
  /// meant, without a word. With nothing left it is a UsageError; without any report there is
  /// nothing that could fit.
  llvm::Error checkUsed(Session &session) const;

private:
  const std::vector<std::string> only_;
  const bool onlyNew_;
  std::vector<bool> isUsed_;
  std::set<std::string> rules_;               ///< of all reports, where some are chosen
  std::vector<std::set<std::string>> places_; ///< in the file of an `only_` that is FILE:LINE
};

} // namespace fathom::run
#endif
