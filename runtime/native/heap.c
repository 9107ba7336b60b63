/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The allocator of native trace variants: every block lies at the address that the engine gives it.
 * Programs look at addresses (they sort by them, hash them, ask whether two arrays overlap), and
 * take the same path then.
 *
 * A small block's slot has a page of its own: 4 KiB, and as much for the page table. Slots are used
 * again as in the engine, so that a program that keeps little needs little. What is left of a page
 * behind a block is readable; a byte there that was changed is noticed when the block is freed, and
 * so is a free of what is no block: a trap, as musl's allocator does it.
 */
#include "slots.h"
#include "thread.h"

#include <asm/unistd.h>

enum { kPage = 4096, kChunkShift = 27 };
enum {
  kReadWrite = 3,
  kFlags = 0x4000 | 0x22 | 0x100000 /* NORESERVE, PRIVATE|ANONYMOUS, FIXED_NOREPLACE */
};
enum { kNoHugePage = 15 };

/* Set by the process that starts the program: bounds on bytes of pages, and on bytes of blocks as
 * they were asked for. The first protects the machine, the second is the engine's bound
 * (--max-heap). */
unsigned long __fathom_heapLimit = ~0ul, __fathom_mostHeap = ~0ul;

static struct fathom_lane heap;
static unsigned long held, asked;          /* bytes of live blocks: whole pages, as asked for */
static byte *chunks[FATHOM_MAX_CLASS + 1]; /* of a class: 1 where a chunk of addresses is mapped */

static usize wholePages(usize bytes) { return (bytes + kPage - 1) & ~(usize)(kPage - 1); }

void *__fathom_reserve_memory(unsigned long at, usize bytes) {
  const long flags = at ? kFlags : 0x4022;
  long got = __fathom_kernel(__NR_mmap, (long)at, (long)bytes, kReadWrite, flags, -1, 0);
  if (got < 0 && got > -4096) return 0;
  if (at && (unsigned long)got != at) { /* a kernel that does not know FIXED_NOREPLACE */
    __fathom_kernel(__NR_munmap, got, (long)bytes, 0, 0, 0, 0);
    return 0;
  }
  __fathom_kernel(__NR_madvise, got, (long)bytes, kNoHugePage, 0, 0, 0);
  return (void *)got;
}

/* ---- slots ---- */

static unsigned bitsOf(usize value) {
  return value > 1 ? 64 - (unsigned)__builtin_clzl(value - 1) : 0;
}
static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

unsigned __fathom_takeSlot(struct fathom_lane *lane, unsigned number, usize size, usize align,
                           unsigned *index, int (*lives)(const struct fathom_slot *)) {
  if (size > 1ul << (FATHOM_MAX_CLASS - 1)) return 0;
  const unsigned least = larger(FATHOM_MIN_CLASS, larger(bitsOf(size) + 1, bitsOf(align) + 2));
  unsigned k = larger(FATHOM_USUAL_CLASS, least);
  if (k > FATHOM_MAX_CLASS) return 0;
  while (lane->cursors[k].live >= fathom_laneRoom(k, __fathom_first_slots[k], number))
    if (k-- == least) return 0;
  struct fathom_cursor *cursor = &lane->cursors[k];
  const unsigned long room = fathom_laneRoom(k, __fathom_first_slots[k], number);
  if (!cursor->window) cursor->window = FATHOM_FIRST_WINDOW;
  if (!lane->slots[k]) lane->slots[k] = __fathom_reserve_memory(0, room * sizeof **lane->slots);
  if (!lane->slots[k]) return 0;
  fathom_widen(cursor, room);
  do *index = fathom_nextIndex(cursor, room);
  while (lives(&lane->slots[k][*index]));
  cursor->live++;
  return k;
}

struct fathom_slot *__fathom_slotAt(const struct fathom_lane *lane, unsigned number,
                                    unsigned long address, unsigned *k, unsigned *index) {
  *k = (unsigned)(address >> FATHOM_CLASS_SHIFT);
  if (*k < FATHOM_MIN_CLASS || *k > FATHOM_MAX_CLASS || !lane->slots[*k]) return 0;
  const unsigned long slot = (address & ((1ul << FATHOM_CLASS_SHIFT) - 1)) >> *k,
                      first = __fathom_first_slots[*k] + number;
  if (slot < first || (slot - first) % FATHOM_LANES) return 0;
  *index = (unsigned)((slot - first) / FATHOM_LANES);
  return &lane->slots[*k][*index];
}

/* ---- memory ---- */

/* Of small classes whole chunks, so that there are few mappings; of large ones exactly the block.
 */
static int isChunked(unsigned k) { return k <= FATHOM_USUAL_CLASS; }

int __fathom_hasChunk(unsigned k, unsigned long base) {
  const unsigned long chunk = (base & ((1ul << FATHOM_CLASS_SHIFT) - 1)) >> kChunkShift;
  if (!isChunked(k)) return 0;
  if (!chunks[k]) chunks[k] = __fathom_reserve_memory(0, 1ul << (FATHOM_CLASS_SHIFT - kChunkShift));
  if (!chunks[k]) return 0;
  if (!chunks[k][chunk]) {
    const unsigned long start = ((unsigned long)k << FATHOM_CLASS_SHIFT) + (chunk << kChunkShift);
    if (!__fathom_reserve_memory(start, 1ul << kChunkShift)) return 0;
    chunks[k][chunk] = 1;
  }
  return 1;
}

static int hasMemory(unsigned k, unsigned long base, usize bytes) {
  return isChunked(k) ? __fathom_hasChunk(k, base)
                      : __fathom_reserve_memory(base, wholePages(bytes ? bytes : 1)) != 0;
}

static int lives(const struct fathom_slot *slot) { return (int)slot->owner; }

/* The byte behind a block, if it is of the same page. */
static byte *guardOf(void *block, usize size) {
  return size % kPage || !size ? (byte *)block + size : 0;
}

static void *allocate(usize size, usize align, int zeroed) {
  unsigned index;
  if (size > __fathom_mostHeap || asked + size > __fathom_mostHeap) return 0;
  if (size > __fathom_heapLimit || held + wholePages(size) > __fathom_heapLimit) return 0;
  const unsigned k = __fathom_takeSlot(&heap, FATHOM_LANE_HEAP, size, align, &index, lives);
  if (!k) return 0;
  struct fathom_slot *slot = &heap.slots[k][index];
  const unsigned long base = fathom_slotBase(k, FATHOM_LANE_HEAP, index);
  if (!hasMemory(k, base, size)) {
    heap.cursors[k].live--;
    return 0;
  }
  if (zeroed && slot->used) fathomZero((void *)base, fathomMin(size, slot->used));
  byte *guard = guardOf((void *)base, size);
  if (guard && slot->used > size) *guard = 0;
  slot->size = size;
  slot->owner = 1;
  if (!isChunked(k))
    slot->used = 0; /* mapped anew each time */
  else if (size + 1 > slot->used)
    slot->used = (unsigned)(size + 1);
  held += wholePages(size);
  asked += size;
  return (void *)base;
}

static struct fathom_slot *blockAt(void *block, unsigned *k) {
  unsigned index;
  struct fathom_slot *slot =
      __fathom_slotAt(&heap, FATHOM_LANE_HEAP, (unsigned long)block, k, &index);
  if (!slot || !slot->owner || fathom_slotBase(*k, FATHOM_LANE_HEAP, index) != (unsigned long)block)
    __builtin_trap();
  const byte *guard = guardOf(block, slot->size);
  if (guard && *guard) __builtin_trap();
  return slot;
}

static void release(void *block) {
  unsigned k;
  struct fathom_slot *slot = blockAt(block, &k);
  slot->owner = 0;
  held -= wholePages(slot->size);
  asked -= slot->size;
  heap.cursors[k].live--;
  if (!isChunked(k))
    __fathom_kernel(__NR_munmap, (long)block, (long)wholePages(slot->size ? slot->size : 1), 0, 0,
                    0, 0);
}

/* ---- what the program calls ---- */

#define MOST_ALIGN (1ul << 30)

/* The program's libc; absent where nothing looks at it. */
__attribute__((weak)) int *__errno_location(void);

static void *fails(int error) {
  if (__errno_location) *__errno_location() = error;
  return 0;
}
static void *orError(void *block) { return block ? block : fails(ENOMEM); }

void *malloc(usize size) { return orError(allocate(size, 1, 0)); }
void free(void *block) {
  if (block) release(block);
}
void *calloc(usize count, usize size) {
  usize total;
  return orError(__builtin_mul_overflow(count, size, &total) ? 0 : allocate(total, 1, 1));
}
void *realloc(void *block, usize size) {
  unsigned k;
  const usize before = block ? blockAt(block, &k)->size : 0;
  void *fresh = allocate(size, 1, 0);
  if (fresh && block) {
    fathomCopy(fresh, block, fathomMin(size, before));
    release(block);
  }
  return orError(fresh);
}
static int isPower(usize value) { return value && !(value & (value - 1)); }
void *memalign(usize align, usize size) {
  if (!isPower(align)) return fails(EINVAL);
  return orError(align <= MOST_ALIGN ? allocate(size, align, 0) : 0);
}
void *aligned_alloc(usize align, usize size) { return memalign(align, size); }
int posix_memalign(void **result, usize align, usize size) {
  if (!isPower(align) || align < sizeof(void *) || align > MOST_ALIGN) return EINVAL;
  void *block = allocate(size, align, 0);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}
usize malloc_usable_size(void *block) {
  unsigned k;
  return block ? blockAt(block, &k)->size : 0;
}
void *__libc_malloc(usize size) { return malloc(size); }
void *__libc_calloc(usize count, usize size) { return calloc(count, size); }
void *__libc_realloc(void *block, usize size) { return realloc(block, size); }
void __libc_free(void *block) { free(block); }
void *__libc_memalign(usize align, usize size) { return memalign(align, size); }
