// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bugs of explorations and campaigns, each with its input, and folded under the one that it
// follows from.
#ifndef FATHOM_RUN_PAGE_PAGEBUGS_H
#define FATHOM_RUN_PAGE_PAGEBUGS_H

#include "run/page/PageData.h"

namespace fathom::run::page {

/// Of an input, so many bytes are on the page.
inline constexpr uint64_t kMostInput = 4096;

/// Fills in `bugs` from the folders of `parts`. What cannot be read is in `missing`.
void collectBugs(PageData &data);

/// Decides which bugs are folded under an earlier one: those of one kind at one place, which differ
/// in their callers, and errors in one function on an object that the same calls allocated. Nothing
/// else: two bugs that only look alike stay apart. O(bugs log bugs).
void foldBugs(std::vector<Bug> &bugs);

} // namespace fathom::run::page
#endif
