// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What system calls do to pointers and memory.
#ifndef FATHOM_STATICS_FRONT_SYSTEMCALLS_H
#define FATHOM_STATICS_FRONT_SYSTEMCALLS_H

#include "statics/front/LibraryFunctions.h"

namespace fathom::statics {

/// The summary of the system call with this number, by argument of __fathom_syscall, whose first
/// argument is the number. -1: the number is not known; any call that returns no new memory.
const Summary &systemCall(int64_t number);
/// Which argument is the number, in a function that makes system calls; nullopt: it makes none.
std::optional<unsigned> systemCallNumberAt(std::string_view function);

} // namespace fathom::statics
#endif
