// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections that are lists: the ledger, events of a whole run, tests.
#ifndef FATHOM_RUN_PAGE_PAGELISTS_H
#define FATHOM_RUN_PAGE_PAGELISTS_H

#include "run/page/PageData.h"

namespace fathom::run::page {

/// Fills in `ledger` from the folders of explorations.
void collectLedger(PageData &data);

/// Adds the events of a file with one JSON object a line. A line that is none, as the last one of a
/// run that was killed may be, is left out and counted in `missing`.
void collectEvents(const std::string &file, PageData &data);

/// Fills in `tests` from the folders of explorations. Cost: that of reading all tests.
void collectTests(PageData &data);

} // namespace fathom::run::page
#endif
