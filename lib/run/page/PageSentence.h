// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page begins with: what was found, how sure that is, and what is left.
#ifndef FATHOM_RUN_PAGE_PAGESENTENCE_H
#define FATHOM_RUN_PAGE_PAGESENTENCE_H

#include "run/page/PageData.h"

namespace fathom::run::page {

/// Three sentences, the last of them missing where nothing was executed. REQUIRES everything else
/// of `data`.
std::vector<std::string> sentencesOf(const PageData &data);

} // namespace fathom::run::page
#endif
