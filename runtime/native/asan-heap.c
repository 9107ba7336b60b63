/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The allocator of variants with AddressSanitizer: every block lies between poisoned zones, and
 * waits after its free before its memory is used again, so that accesses outside of it and after
 * its free are seen.
 *
 *   chunk:  | header, 128 bytes: poisoned | block | up to the chunk's end: poisoned |
 *
 * Chunks have sizes of four steps for each power of two, and come from arenas; those of more than
 * 256 KB are mappings of their own. The header holds the calls that have allocated and freed the
 * block.
 */
#include "../posix/state.h"
#include "asan.h"

#include <asm/unistd.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

enum { kPage = 4096, kLeastAlign = 16, kHeader = 128, kLeastZone = 16 };
enum { kLargest = 1 << 18, kFirstArena = 1 << 16, kLargestArena = 1 << 22 };
enum {
  kQuarantine = 8 << 20
}; /* bytes of chunks that wait; small, as every child of the fork
      server pays for the pages that it touches */
enum { kLargeWaiting = 16, kDontNeed = 4 };
enum { kSites = 5, kClasses = 64, kArenas = 4096 };

struct chunk {
  unsigned long magic; /* kLive or kWaits, with the block's address: of nothing else */
  usize bytes;         /* of the block, as it was asked for */
  usize whole;         /* of the chunk, from `base` on */
  unsigned long base;  /* larger alignments leave room before the header */
  unsigned long allocated[kSites], freed[kSites];
  struct chunk *next; /* that waits, that is free, or that is large */
  unsigned long unused;
};
_Static_assert(sizeof(struct chunk) == kHeader, "blocks are aligned");
#define LIVE 0x4c69766563686e6bul
#define WAITS 0x5761697463686e6bul

unsigned long __fathom_asan_mostHeap = ~0ul;

static struct {
  unsigned long from, end;
} arenas[kArenas];
static unsigned arenaCount;
static unsigned long nextFree, arenaEnd, held; /* held: bytes of chunks, also of those that wait */
static struct chunk *freeChunks[kClasses];
static struct chunk *oldest, *newest; /* of those that wait */
static usize waiting;
static struct chunk *large; /* live or waiting */

static struct chunk *headerOf(unsigned long block) { return (struct chunk *)(block - kHeader); }
static unsigned long blockOf(const struct chunk *c) { return (unsigned long)c + kHeader; }
static usize up(usize value, usize to) { return (value + to - 1) & -to; }

/* ---- sizes ---- */

/* The smallest class with at least so many bytes: 4 for each power of two, from 128 on. */
static unsigned classOf(usize bytes, usize *whole) {
  const unsigned power = bytes <= 256 ? 8 : 64 - (unsigned)__builtin_clzl(bytes - 1);
  const usize half = 1ul << (power - 1), quarter = half / 4;
  const usize steps = bytes <= half ? 0 : (bytes - half + quarter - 1) / quarter;
  *whole = half + steps * quarter;
  return (power - 8) * 4 + (unsigned)steps;
}

/* ---- memory ---- */

static unsigned long mapped(usize bytes) {
  long at = __fathom_kernel(__NR_mmap, 0, (long)bytes, 3, 0x4022, -1, 0);
  return at < 0 && at > -4096 ? 0 : (unsigned long)at;
}

static unsigned long fromArena(usize whole) {
  if (arenaEnd - nextFree < whole) {
    usize bytes = kFirstArena;
    for (unsigned i = 0; i < arenaCount && bytes < kLargestArena; i++) bytes *= 2;
    if (bytes < whole) bytes = up(whole, kPage);
    const unsigned long at = arenaCount < kArenas ? mapped(bytes) : 0;
    if (!at) return 0;
    arenas[arenaCount].from = at;
    arenas[arenaCount++].end = at + bytes;
    nextFree = at;
    arenaEnd = at + bytes;
    __fathom_asan_poison(at, bytes, kAsanHeap);
  }
  const unsigned long at = nextFree;
  nextFree += whole;
  return at;
}

/* The frame pointers of the program's code; a broken one ends the list. */
static void noteCalls(unsigned long *calls, const unsigned long *frame) {
  for (int i = 0; i < kSites; i++) calls[i] = 0;
  for (int i = 0; i < kSites && frame; i++) {
    calls[i] = frame[1];
    const unsigned long next = frame[0];
    if (next <= (unsigned long)frame || next - (unsigned long)frame > 1 << 20 || next & 7) return;
    frame = (const unsigned long *)next;
  }
}

static void *allocate(usize bytes, usize align, int isZeroed, const unsigned long *frame) {
  if (align < kLeastAlign) align = kLeastAlign;
  if (bytes > __fathom_asan_mostHeap) return 0;
  const usize before = kHeader + (align > kLeastAlign ? align : 0);
  usize whole = up(before + bytes + kLeastZone, kLeastAlign);
  if (held + whole > __fathom_asan_mostHeap) return 0;
  const int isLarge = whole > kLargest;
  unsigned long base;
  int isFresh = 1;
  if (isLarge) {
    whole = up(whole, kPage);
    base = mapped(whole);
    if (base) __fathom_asan_poison(base, whole, kAsanHeap);
  } else {
    struct chunk **list = &freeChunks[classOf(whole, &whole)], *c = *list;
    if (c) {
      *list = c->next;
      base = c->base;
      isFresh = 0;
      __fathom_asan_poison(base, whole, kAsanHeap);
    } else {
      base = fromArena(whole);
    }
  }
  if (!base) return 0;
  const unsigned long block = up(base + kHeader, align);
  struct chunk *c = headerOf(block);
  c->magic = LIVE ^ block;
  c->bytes = bytes;
  c->whole = whole;
  c->base = base;
  c->next = 0;
  if (isLarge) {
    c->next = large;
    large = c;
  }
  noteCalls(c->allocated, frame);
  c->freed[0] = 0;
  held += whole;
  __fathom_asan_poison(block, bytes, 0);
  if (isZeroed && !isFresh) fathomZero((void *)block, bytes);
  return (void *)block;
}

static void unmap(struct chunk *c) {
  struct chunk **at = &large;
  while (*at && *at != c) at = &(*at)->next;
  if (*at) *at = c->next;
  /* The next owner of these addresses does not know of our poison. */
  const unsigned long base = c->base, from = up((unsigned long)ASAN_SHADOW(base), kPage),
                      end = (unsigned long)ASAN_SHADOW(base + c->whole) & -(unsigned long)kPage;
  __fathom_asan_poison(base, c->whole, 0);
  if (from < end) __fathom_kernel(__NR_madvise, (long)from, (long)(end - from), kDontNeed, 0, 0, 0);
  __fathom_kernel(__NR_munmap, (long)base, (long)c->whole, 0, 0, 0, 0);
}

/* Its memory is given back at once, its addresses after some more frees. */
static void waitLarge(struct chunk *c) {
  static struct chunk *last[kLargeWaiting];
  static unsigned next;
  const unsigned long from = up(blockOf(c), kPage), end = c->base + c->whole;
  __fathom_kernel(__NR_madvise, (long)from, (long)(end - from), kDontNeed, 0, 0, 0);
  held -= c->whole;
  if (last[next]) unmap(last[next]);
  last[next] = c;
  next = (next + 1) % kLargeWaiting;
}

static void giveBack(struct chunk *c) {
  held -= c->whole;
  usize whole;
  const unsigned class = classOf(c->whole, &whole);
  c->magic = 0;
  /* Its header moves to the chunk's beginning, where it is found with another alignment. */
  struct chunk *first = (struct chunk *)c->base;
  first->base = c->base;
  first->next = freeChunks[class];
  freeChunks[class] = first;
}

/* ---- wrong frees ---- */

static _Noreturn void refuse(unsigned long block, enum fathom_check check,
                             const unsigned long *frame) {
  static struct fathom_crash crash;
  crash.check = check;
  crash.address = block;
  crash.hasBlock = (unsigned long)__fathom_asan_describe(block, &crash);
  __fathom_checkFailed(&crash, frame[1], frame[0]);
}

/* Is memory mapped there that is ours? */
static int isInArena(unsigned long address) {
  for (unsigned i = 0; i < arenaCount; i++)
    if (address >= arenas[i].from && address < arenas[i].end) return 1;
  for (const struct chunk *c = large; c; c = c->next)
    if (address >= c->base && address < c->base + c->whole) return 1;
  return 0;
}

static struct chunk *liveChunk(unsigned long block, const unsigned long *frame) {
  /* Only where our shadow says that a header may be, memory is read. */
  const int mayBe = !(block % kLeastAlign) && *ASAN_SHADOW(block - 8) == kAsanHeap;
  struct chunk *c = headerOf(block);
  if (mayBe && c->magic == (LIVE ^ block)) return c;
  const int waits = !(block % kLeastAlign) && isInArena(block - 8) && c->magic == (WAITS ^ block);
  refuse(block, waits ? FATHOM_CHECK_DoubleFree : FATHOM_CHECK_InvalidFree, frame);
}

static void release(unsigned long block, const unsigned long *frame) {
  struct chunk *c = liveChunk(block, frame);
  noteCalls(c->freed, frame);
  c->magic = WAITS ^ block;
  __fathom_asan_poison(block, up(c->bytes ? c->bytes : 1, 8), kAsanFreed);
  if (c->whole > kLargest) return waitLarge(c);
  c->next = 0;
  if (newest)
    newest->next = c;
  else
    oldest = c;
  newest = c;
  waiting += c->whole;
  while (waiting > kQuarantine) {
    struct chunk *first = oldest;
    oldest = first->next;
    waiting -= first->whole;
    giveBack(first);
  }
}

/* ---- what a report says ---- */

static void tell(const struct chunk *c, unsigned long address, struct fathom_crash *crash) {
  crash->offset = (long)(address - blockOf(c));
  crash->blockBytes = c->bytes;
  for (int i = 0; i < kSites; i++) crash->allocated[i] = c->allocated[i];
  for (int i = 0; i < kSites && c->magic == (WAITS ^ blockOf(c)); i++)
    crash->freed[i] = c->freed[i];
}

int __fathom_asan_describe(unsigned long address, struct fathom_crash *crash) {
  unsigned long from = 0, end = 0;
  for (unsigned i = 0; i < arenaCount; i++)
    if (address >= arenas[i].from && address < arenas[i].end) {
      from = arenas[i].from;
      end = arenas[i].end;
    }
  for (const struct chunk *c = large; c && !from; c = c->next)
    if (address >= c->base && address < c->base + c->whole) {
      tell(c, address, crash);
      return 1;
    }
  /* The last block that begins before, and the first one behind: whichever is nearer. */
  const struct chunk *before = 0, *after = 0;
  if (end - from < kHeader) return 0;
  for (unsigned long at = from; at <= end - kHeader; at += kLeastAlign) {
    const struct chunk *c = (const struct chunk *)at;
    const unsigned long block = blockOf(c);
    if (c->magic != (LIVE ^ block) && c->magic != (WAITS ^ block)) continue;
    if (block <= address)
      before = c;
    else if (!after)
      after = c;
    if (after) break;
  }
  if (before && after) {
    const unsigned long ends = blockOf(before) + before->bytes;
    if (address >= ends && address - ends > blockOf(after) - address) before = 0;
  }
  if (!before) before = after;
  if (!before) return 0;
  tell(before, address, crash);
  return 1;
}

/* ---- what the program calls ---- */

/* The program's libc; absent where nothing looks at it. */
__attribute__((weak)) int *__errno_location(void);

static void *fails(int error) {
  if (__errno_location) *__errno_location() = error;
  return 0;
}
static void *orError(void *block) { return block ? block : fails(ENOMEM); }
static int isPower(usize value) { return value && !(value & (value - 1)); }

#define FRAME (const unsigned long *)__builtin_frame_address(0)
#define MOST_ALIGN (1ul << 30)

void *malloc(usize size) { return orError(allocate(size, 1, 0, FRAME)); }
void free(void *block) {
  if (block) release((unsigned long)block, FRAME);
}
void *calloc(usize count, usize size) {
  usize total;
  return orError(__builtin_mul_overflow(count, size, &total) ? 0 : allocate(total, 1, 1, FRAME));
}
void *realloc(void *block, usize size) {
  const unsigned long *frame = FRAME;
  const usize before = block ? liveChunk((unsigned long)block, frame)->bytes : 0;
  void *fresh = allocate(size, 1, 0, frame);
  if (fresh && block) {
    fathomCopy(fresh, block, fathomMin(size, before));
    release((unsigned long)block, frame);
  }
  return orError(fresh);
}
void *memalign(usize align, usize size) {
  if (!isPower(align)) return fails(EINVAL);
  return orError(align <= MOST_ALIGN ? allocate(size, align, 0, FRAME) : 0);
}
void *aligned_alloc(usize align, usize size) {
  if (!isPower(align)) return fails(EINVAL);
  return orError(align <= MOST_ALIGN ? allocate(size, align, 0, FRAME) : 0);
}
int posix_memalign(void **result, usize align, usize size) {
  if (!isPower(align) || align < sizeof(void *) || align > MOST_ALIGN) return EINVAL;
  void *block = allocate(size, align, 0, FRAME);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}
usize malloc_usable_size(void *block) {
  return block ? liveChunk((unsigned long)block, FRAME)->bytes : 0;
}
void *__libc_malloc(usize size) { return orError(allocate(size, 1, 0, FRAME)); }
void *__libc_calloc(usize count, usize size) { return calloc(count, size); }
void *__libc_realloc(void *block, usize size) { return realloc(block, size); }
void __libc_free(void *block) {
  if (block) release((unsigned long)block, FRAME);
}
void *__libc_memalign(usize align, usize size) { return memalign(align, size); }
