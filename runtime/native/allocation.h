/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which allocations of a native variant fail (allocation.c).
 */
#ifndef FATHOM_NATIVE_ALLOCATION_H
#define FATHOM_NATIVE_ALLOCATION_H

/* Those with these numbers, ascending. Without it, none. */
void __fathom_failAllocations(const unsigned *numbers, unsigned long count);

/* Counts a mapping that the program asks for; 1: it is to fail. */
int __fathom_mappingFails(void);

/* Around each call of the allocator. 1: it is to fail, and not to be called. */
int __fathom_allocation_begins(void);
void __fathom_allocation_ends(void);

#endif
