/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mmap in native trace variants: the kernel's mappings, at the addresses that the model gives them
 * (posix/memory.c). Programs look at those as at any other.
 */
#include "maps.h"

#include "slots.h"
#include "thread.h"

#include <asm/unistd.h>
#include <linux/mman.h>

enum { kPage = 4096, kMayReplace = 5, kMoveThere = 3 /* MREMAP_MAYMOVE | MREMAP_FIXED */ };

static struct fathom_lane lane; /* a slot's size: bytes that are left of a mapping */

static int lives(const struct fathom_slot *slot) { return slot->size != 0; }
static usize pages(usize bytes) { return (bytes + kPage - 1) & ~(usize)(kPage - 1); }
static int failed(long result) { return result < 0 && result > -4096; }

/* The next slot, for a mapping that `make` makes there; given back when that fails. */
static long take(usize size, long (*make)(unsigned long at, const long *arguments),
                 long *arguments) {
  unsigned index;
  const unsigned k = __fathom_takeSlot(&lane, FATHOM_LANE_MAP, size, kPage, &index, lives);
  if (!k) return -ENOMEM;
  const unsigned long base = fathom_slotBase(k, FATHOM_LANE_MAP, index);
  arguments[kMayReplace] = __fathom_hasChunk(k, base); /* of the heap's memory, which is ours */
  const long result = make(base, arguments);
  if (failed(result)) {
    lane.cursors[k].live--;
    lane.cursors[k].next = index;
  } else {
    lane.slots[k][index].size = size;
  }
  return result;
}

static void lose(unsigned long address, usize size) {
  unsigned k, index;
  struct fathom_slot *slot = __fathom_slotAt(&lane, FATHOM_LANE_MAP, address, &k, &index);
  if (!slot || !slot->size) return;
  slot->size -= fathomMin(slot->size, size);
  if (!slot->size) lane.cursors[k].live--;
}

void __fathom_forgetMap(unsigned long address) {
  unsigned k, index;
  struct fathom_slot *slot = __fathom_slotAt(&lane, FATHOM_LANE_MAP, address, &k, &index);
  if (!slot || !slot->size) return;
  slot->size = 0;
  lane.cursors[k].live--;
  lane.cursors[k].next = index;
}

static long makeNew(unsigned long at, const long *a) {
  return __fathom_kernel(__NR_mmap, (long)at, a[0], a[1],
                         a[2] | (a[5] ? MAP_FIXED : MAP_FIXED_NOREPLACE), a[3], a[4]);
}

static long makeMoved(unsigned long at, const long *a) {
  return __fathom_kernel(__NR_mremap, a[0], a[1], a[2], kMoveThere, (long)at, 0);
}

int __fathom_mapCall(long number, long a, long b, long c, long d, long e, long f, long *result) {
  unsigned k, index;
  switch (number) {
  case __NR_mmap: {
    long arguments[kMayReplace + 1] = {b, c, d, e, f};
    if ((d & (MAP_FIXED | MAP_FIXED_NOREPLACE)) || b <= 0 || b > 1l << 39) return 0;
    *result = take(pages((usize)b), makeNew, arguments);
    return 1;
  }
  case __NR_munmap:
    *result = __fathom_kernel(number, a, b, 0, 0, 0, 0);
    if (!failed(*result)) lose((unsigned long)a, pages((usize)b));
    return 1;
  case __NR_mremap: {
    const usize before = pages((usize)b), after = pages((usize)c);
    long arguments[kMayReplace + 1] = {a, b, c};
    const struct fathom_slot *slot =
        __fathom_slotAt(&lane, FATHOM_LANE_MAP, (unsigned long)a, &k, &index);
    if (!slot || slot->size != before || after <= before || d != 1 /* MREMAP_MAYMOVE */) return 0;
    *result = take(after, makeMoved, arguments);
    if (!failed(*result)) lose((unsigned long)a, before);
    return 1;
  }
  default: return 0;
  }
}
