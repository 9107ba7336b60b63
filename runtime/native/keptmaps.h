/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that one input gives back is kept for the next one (keptmaps.c).
 */
#ifndef FATHOM_NATIVE_KEPTMAPS_H
#define FATHOM_NATIVE_KEPTMAPS_H

/* Before an input. 0: the memory that it gives back goes to the kernel at once. */
__attribute__((weak)) void __fathom_keepMaps(int isKept);

/* mmap and munmap. 1: it was done, and *result is what the call returns. 0: the kernel has to do
 * it, and __fathom_mapMade is told of it. */
__attribute__((weak)) int __fathom_keptMapCall(long number, const long *arguments, long *result);

/* The kernel did a call that changes what is mapped where. */
__attribute__((weak)) void __fathom_mapMade(long number, const long *arguments, long result);

#endif
