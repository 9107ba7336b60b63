// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libc++abi's cxa_default_handlers.cpp, whose handler of uncaught exceptions reports a bug.
[[noreturn]] void __fathom_uncaught_message(const char *format, ...);

#include "abort_message.h"
#define abort_message __fathom_uncaught_message
#include "cxa_default_handlers.cpp"

/// Has the program no handler of its own for std::terminate?
bool __fathom_cxx_ends_by_report() { return std::get_terminate() == demangling_terminate_handler; }
