// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the user names: FUNCTION or FUNCTION:LINE, the line of the loop's condition.
#ifndef FATHOM_EXPLORE_MERGE_NAMEDLOOPS_H
#define FATHOM_EXPLORE_MERGE_NAMEDLOOPS_H

#include "program/Code.h"

#include <string>
#include <vector>

namespace fathom::explore {

/// Is the loop of this function whose header is at this line one of them?
bool isNamed(const std::vector<std::string> &names, const program::FunctionCode &f, uint32_t line);

/// The first of them that names no loop, and what there is instead, as a message; empty: none.
/// O(code of the functions that are named).
std::string nameOfNoLoop(const std::vector<std::string> &names, const program::Program &program);

} // namespace fathom::explore
#endif
