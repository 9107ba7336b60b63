// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search left out, read from the ledger of its exploration, and what would have taken it
// further.
#ifndef FATHOM_CONFIRM_LEFTOUT_H
#define FATHOM_CONFIRM_LEFTOUT_H

#include "confirm/Search.h"

#include <chrono>
#include <string>

namespace fathom::confirm {

/// All but the assumption about callers' memory; `search.cut` is the gravest.
/// \param count  the input that says how many arguments main has; "": there is none
void noteLeftOut(const explore::Ledger &ledger, const std::string &count, Search &search);

/// Of a search that bounds ended: says what they did, and what would have taken it further.
/// \param isMain  it began at main
/// \param isTried  a search without bounds did not end in `time`
void tellBounds(bool isMain, std::chrono::milliseconds time, bool isTried, Search &bounded);

} // namespace fathom::confirm
#endif
