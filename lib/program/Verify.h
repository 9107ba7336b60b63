// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural invariants of decoded programs: what the interpreter relies on without checking.
#ifndef FATHOM_PROGRAM_VERIFY_H
#define FATHOM_PROGRAM_VERIFY_H

#include "program/Code.h"

#include <string>
#include <vector>

namespace fathom::program {

/// Every violation as one line "function, instruction: what"; empty when the program is well
/// formed. Checked: slots, targets, pool ranges and table indices in range; widths and flags legal
/// for the operation; code ends in a terminator; a slot >= localBase is written in a block before
/// it is read there; block starts, branch numbers and coverage ranges consistent. Cost: linear.
std::vector<std::string> verify(const Program &program);

} // namespace fathom::program
#endif
