// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How exceptions pass through bitcode. A call that may throw is followed by a branch on
// __fathom_cxx_unwinding (lib/program/LowerExceptions.cpp makes them): unwinding is returning. What
// the tables of machine code say is in two shapes here, so that a throw still looks for its handler
// before anything is unwound (Itanium C++ ABI: Exception Handling, 1.1, two phases).
#ifndef FATHOM_SYSROOT_CXX_UNWIND_H
#define FATHOM_SYSROOT_CXX_UNWIND_H

#include "unwind.h"

/// A clause of a landing pad.
struct __fathom_cxx_clause {
  const void *types; ///< catch: the type_info, null for any exception; filter: an array of them
  int selector;      ///< what the landing pad gets: positive for a catch, negative for a filter
  int count;         ///< filter: of types; catch: kCatch, or kTerminate where the landing pad only
                     ///< ends the program (of a noexcept function); kBarrier: the search
                     ///< ends, for machine code has no tables there; behind the last clause: kEnd
};
enum { kCatch = -1, kEnd = -2, kTerminate = -3, kBarrier = -4 };

/// A call in progress whose landing pad has clauses. It lies in the frame of the function that
/// calls.
struct __fathom_cxx_region {
  __fathom_cxx_region *outer;
  const __fathom_cxx_clause *clauses;
  long selector; ///< set by the search for a handler, for the region that is found
};

extern "C" {
/// The innermost region of this thread.
extern __thread __fathom_cxx_region *__fathom_cxx_regions;
/// The exception with which the functions of this thread return; null: they return as usual.
extern __thread _Unwind_Exception *__fathom_cxx_unwinding;

/// _Unwind_RaiseException: finds the handler and begins to unwind. \returns only without a handler,
/// or with __fathom_cxx_unwinding set.
_Unwind_Reason_Code __fathom_cxx_raise(_Unwind_Exception *exception);
/// Unwinding has come to a landing pad, of this region or, null, without clauses: it ends here.
/// \returns the selector: 0 if the handler is further out
int __fathom_cxx_land(__fathom_cxx_region *region);

void __fathom_cxx_delete(_Unwind_Exception *exception);
_Unwind_Reason_Code __fathom_cxx_backtrace(_Unwind_Trace_Fn function, void *argument);
void __fathom_cxx_call_unexpected(void *exception);
void __fathom_cxx_call_terminate(void *exception) __attribute__((noreturn));
}

#endif
