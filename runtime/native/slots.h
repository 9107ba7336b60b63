/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slots of the engine's address space in native trace variants: of heap objects, which lie there
 * (heap.c), and of local variables, whose addresses are only translated (addresses.c).
 */
#ifndef FATHOM_NATIVE_SLOTS_H
#define FATHOM_NATIVE_SLOTS_H

#include "../posix/state.h"

#include <fathom/slots.h>

/* Defined by the instrumented module: slots below are the program's variables. */
extern const unsigned long __fathom_first_slots[FATHOM_MAX_CLASS + 1];

/* A slot that was ever taken, as its lane knows it. */
struct fathom_slot {
  unsigned long size; /* heap: of the object; stack: 1 + its index in the stack of locals */
  unsigned owner;     /* heap: 1 while it lives; stack: the thread */
  unsigned used;      /* heap: bytes that were ever handed out, at most 4 GB - 1 */
};

struct fathom_lane {
  struct fathom_cursor cursors[FATHOM_MAX_CLASS + 1];
  struct fathom_slot *slots[FATHOM_MAX_CLASS + 1]; /* by index; null: none yet */
};

static inline unsigned long fathom_slotFirst(unsigned k, unsigned lane, unsigned index) {
  return __fathom_first_slots[k] + lane + (unsigned long)FATHOM_LANES * index;
}
static inline unsigned long fathom_slotBase(unsigned k, unsigned lane, unsigned index) {
  return ((unsigned long)k << FATHOM_CLASS_SHIFT) + (fathom_slotFirst(k, lane, index) << k) +
         (1ul << (k - 2));
}

/* The class and index of the next object of this size, or 0: no address is left. */
unsigned __fathom_takeSlot(struct fathom_lane *lane, unsigned number, usize size, usize align,
                           unsigned *index, int (*lives)(const struct fathom_slot *));
/* The slot of this lane that the address is in; null: of another lane, or never taken. */
struct fathom_slot *__fathom_slotAt(const struct fathom_lane *lane, unsigned number,
                                    unsigned long address, unsigned *k, unsigned *index);
/* Slots of small classes lie in chunks that are mapped as a whole, so that there are few mappings.
 * 1: this one is, now at least. */
int __fathom_hasChunk(unsigned k, unsigned long base);
void *__fathom_reserve_memory(unsigned long at, usize bytes); /* zeroed; null: none */

#endif
