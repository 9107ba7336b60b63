// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reports that are to be confirmed: the files that a user names, and which of their reports.
#ifndef FATHOM_RUN_REPORTCHOICE_H
#define FATHOM_RUN_REPORTCHOICE_H

#include "run/confirm/ConfirmRequest.h"
#include "run/OnlyFilter.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace fathom::run {

/// A UsageError: one cannot be read, or lacks what ConfirmRequest::onlyNew needs.
llvm::Expected<std::vector<std::unique_ptr<confirm::ReportFile>>>
openReports(const ConfirmRequest &request);

/// Which reports are wanted: --only and --only-new.
class WantedReports {
public:
  explicit WantedReports(const ConfirmRequest &request)
      : only_(request.only), onlyNew_(request.onlyNew) {}

  bool operator()(const confirm::Defect &defect);
  /// After all reports were seen: OnlyFilter::checkUsed.
  llvm::Error checkUsed(Session &session) const { return only_.checkUsed(session); }

private:
  OnlyFilter only_;
  const bool onlyNew_;
};

} // namespace fathom::run
#endif
