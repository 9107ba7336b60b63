// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that decide a confirmed path from main with an input (PathValues.h), in the program's
// own terms: arguments, standard input, files and variables of the environment. The model's symbols
// for them (runtime/posix/args.c: n_args, arg00, stdin, A-data) are nothing that users know.
#ifndef FATHOM_CONFIRM_INPUTVALUES_H
#define FATHOM_CONFIRM_INPUTVALUES_H

#include "confirm/PathValues.h"

namespace fathom::confirm {

/// All arguments, if one of them or their number is among `uses`; of the others, those that are.
/// Each once, and whole. Without such uses, all of them. What else is unknown comes after them.
PathValues inputValues(const explore::TestCase &test, const std::vector<ValueUse> &uses);

} // namespace fathom::confirm
#endif
