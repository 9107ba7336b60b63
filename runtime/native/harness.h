/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the fork server (fuzz.c) and the loop of a harness (harness.c).
 */
#ifndef FATHOM_NATIVE_HARNESS_H
#define FATHOM_NATIVE_HARNESS_H

#include "../posix/syscalls.h"

/* Defined by the instrumented module: 1 when it has LLVMFuzzerTestOneInput. */
extern const unsigned __fathom_isHarness;
extern const unsigned __fathom_fuzz_counters;
extern byte *__fathom_fuzz_map;

/* Inputs that one process takes; 0: there is no fork server, and the program runs as ever. */
extern long __fathom_fuzz_iterations;

/* The input has been handled: returns when the next one is there. */
void __fathom_fuzz_next(void);

/* The input that AFL++ has put into shared memory; null: it is in standard input. */
const byte *__fathom_fuzz_input(usize *bytes);

#endif
