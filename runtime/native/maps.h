/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mmap and its relatives in native trace variants (maps.c).
 */
#ifndef FATHOM_NATIVE_MAPS_H
#define FATHOM_NATIVE_MAPS_H

/* 1: it was made, and *result is what it returns. */
int __fathom_mapCall(long number, long a, long b, long c, long d, long e, long f, long *result);

/* The newest mapping was not made: its slot is the next one's. The caller unmaps it. */
void __fathom_forgetMap(unsigned long address);

#endif
