// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kind of results a folder holds; that of a whole run is taken apart.
#ifndef FATHOM_RUN_PAGE_PAGEPARTS_H
#define FATHOM_RUN_PAGE_PAGEPARTS_H

#include "run/page/Page.h"

namespace fathom::run::page {

/// Fills in `parts`, `title` and `missing`. Returns the files with events. Errors: see collectPage.
llvm::Expected<std::vector<std::string>> findParts(const PageRequest &request, PageData &data);

} // namespace fathom::run::page
#endif
