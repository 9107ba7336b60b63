/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The model's answers where the kernel's depend on the machine or the moment (world.c); only for
 * tests that are replayed.
 */
#ifndef FATHOM_NATIVE_WORLD_H
#define FATHOM_NATIVE_WORLD_H

/* Before the program's first system call. */
void __fathom_world_start(void);
/* 1: it was made, and *result is what it returns. */
int __fathom_worldCall(long number, long a, long b, long c, long d, long e, long *result);

#endif
