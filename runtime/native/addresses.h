/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The engine's addresses in native trace variants (addresses.c).
 */
#ifndef FATHOM_NATIVE_ADDRESSES_H
#define FATHOM_NATIVE_ADDRESSES_H

/* The place of which the program knows the engine's address, and back. Any other number is itself:
 * heap blocks have the engine's addresses. */
unsigned long __fathom_seen(const void *place);
/* The same of a place that the program compares with the other, or from which it subtracts it. One
 * near it, in no object, is taken for that of a pointer that was moved out of the other's object:
 * `array - 1`. */
unsigned long __fathom_seenBeside(const void *place, const void *other);
void *__fathom_placed(unsigned long address);
/* Where arithmetic on `from` leads, `to` being what the processor computes: a number that the
 * program adds can be the engine's distance between two objects, or from null. */
void *__fathom_moved(const void *from, void *to);
/* A thread has its own stack: from here on this one's is used. */
void __fathom_useStack(int thread);

#endif
