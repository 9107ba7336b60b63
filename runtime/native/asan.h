/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the checks (asan.c) and the allocator (asan-heap.c) of variants with AddressSanitizer.
 */
#ifndef FATHOM_NATIVE_ASAN_H
#define FATHOM_NATIVE_ASAN_H

#include "../posix/syscalls.h"
#include "crash.h"

/* Shadow memory [Serebryany et al., AddressSanitizer: A Fast Address Sanity Checker, USENIX ATC
 * 2012, Sec. 3.1]: one byte says of eight how many, from the first, may be accessed (0: all), or
 * why none may. LLVM's pass has the same numbers. */
#define ASAN_SHADOW_OFFSET 0x7fff8000ul
#define ASAN_SHADOW_BYTES 0x100000000000ul
#define ASAN_SHADOW(address) ((byte *)(((unsigned long)(address) >> 3) + ASAN_SHADOW_OFFSET))
enum {
  kAsanHeap = 0xfa,
  kAsanFreed = 0xfd,
  kAsanStackLeft = 0xf1,
  kAsanStackMiddle = 0xf2,
  kAsanStackRight = 0xf3,
  kAsanScope = 0xf8,
  kAsanGlobal = 0xf9,
  kAsanAllocaLeft = 0xca,
  kAsanAllocaRight = 0xcb
};

/* `from` is a multiple of 8. The last bytes of eight, when `bytes` is no multiple, stay poisoned
 * by `value`, or are accessible up to there when it is 0. */
void __fathom_asan_poison(unsigned long from, usize bytes, byte value);

/* The block that the address is in or next to: fills in offset and blockBytes, and where it was
 * allocated and freed. 0: none. */
int __fathom_asan_describe(unsigned long address, struct fathom_crash *crash);

/* Bytes that the program may have at a time. */
extern unsigned long __fathom_asan_mostHeap;

#endif
