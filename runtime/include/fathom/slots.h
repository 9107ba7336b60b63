/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which slot the next object gets: the engine (lib/explore/interpreter/Memory.cpp) and native
 * programs that are to have the same addresses (runtime/native) ask the same code.
 * lib/program/Address.h says what a slot is. */
#ifndef FATHOM_SLOTS_H
#define FATHOM_SLOTS_H

enum {
  FATHOM_CLASS_SHIFT = 41,
  FATHOM_MIN_CLASS = 14,   /* objects begin at pages: a quarter of a slot is one */
  FATHOM_USUAL_CLASS = 21, /* slots of 2 MiB: objects of up to 1 MiB */
  FATHOM_MAX_CLASS = 40,
  /* Objects of these kinds take slots in turns, so that how many there are of one kind does not
   * move those of another. */
  FATHOM_LANE_HEAP = 0,
  FATHOM_LANE_STACK = 1,
  FATHOM_LANE_MAP = 2,   /* what the program maps */
  FATHOM_LANE_OTHER = 3, /* what the engine and the environment model make */
  FATHOM_LANES = 4,
  FATHOM_FIRST_WINDOW = 1024
};

/* Where the next object of a class and a lane goes: slot = first + FATHOM_LANES * index + lane,
 * index cyclic in the window. */
struct fathom_cursor {
  unsigned next, window, live;
};

/* How many objects a lane of class k can have, whose slots below `first` are the program's
 * variables. */
static inline unsigned long fathom_laneRoom(unsigned k, unsigned long first, unsigned lane) {
  const unsigned long from = first + lane, count = 1ul << (FATHOM_CLASS_SHIFT - k);
  return from < count ? (count - from + FATHOM_LANES - 1) / FATHOM_LANES : 0;
}

/* Before a slot is taken: a window that is half full is doubled. */
static inline void fathom_widen(struct fathom_cursor *cursor, unsigned long room) {
  if ((unsigned long)cursor->live * 2 < cursor->window || cursor->window >= room) return;
  cursor->next = cursor->window; /* the new half is free throughout */
  cursor->window *= 2;
}

/* The index to try next; those whose objects live are passed over. */
static inline unsigned fathom_nextIndex(struct fathom_cursor *cursor, unsigned long room) {
  const unsigned long window = cursor->window < room ? cursor->window : room;
  const unsigned index = cursor->next;
  cursor->next = (unsigned long)index + 1 >= window ? 0 : index + 1;
  return index;
}

#endif
