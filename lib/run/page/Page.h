// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom report: one HTML file about results folders and files of reports.
#ifndef FATHOM_RUN_PAGE_PAGE_H
#define FATHOM_RUN_PAGE_PAGE_H

#include "run/page/PageData.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

namespace fathom::run::page {

struct PageRequest {
  std::vector<std::string> folders; ///< of results; or SARIF files
  std::vector<std::string> reports; ///< SARIF files
  std::vector<std::string> sources; ///< where to look for source files as well
  std::string html;                 ///< the file that is written; empty: report.html in a folder
};

/// A UsageError: there is nothing to show; a folder holds no results, or those of another version.
/// What a folder does not have although it could is in `missing`, and the rest is there.
llvm::Expected<PageData> collectPage(const PageRequest &request, Session &session);

/// The data as JSON that can stand in a script element: no "<" in it.
std::string pageJson(const PageData &data);

/// Puts the data into the page that belongs to Fathom, and writes it. Returns the file's path. A
/// UsageError: it cannot be written; the page is not installed.
llvm::Expected<std::string> writePage(const PageRequest &request, const PageData &data);

} // namespace fathom::run::page
#endif
