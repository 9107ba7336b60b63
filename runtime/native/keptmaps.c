/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libc's allocator maps memory for every group of blocks, and unmaps it when the last of them is
 * freed. A process that takes thousands of inputs thus asks the kernel for the same few pages again
 * and again, which costs more than most inputs do. Here they are kept, and cleared when they are
 * used again.
 *
 * A use of memory after it was unmapped crashes, and is to be found. So one input in eight
 * (harness.c) gives its memory back at once. AFL++ executes what it keeps several times in a row,
 * so most inputs of its queue are such a one.
 *
 * Only private anonymous mappings are kept, and only whole ones that are as mmap made them.
 */
#include "keptmaps.h"

#include "../posix/syscalls.h"
#include "thread.h"

#include <asm/unistd.h>
#include <linux/mman.h>

enum { kPage = 4096, kLargest = 64 /* pages */, kOfOneSize = 8, kMost = 1024 /* pages in all */ };
enum { kTracked = 1024 };

static int isOn;
static unsigned long kept[kLargest + 1][kOfOneSize]; /* by size in pages */
static unsigned numKept[kLargest + 1], keptPages;
/* Mappings of the program that may be kept, by address. Of two that want one place, the newer has
 * it; the other is the kernel's. */
static struct tracked {
  unsigned long at, pages;
} live[kTracked];

static struct tracked *placeOf(unsigned long at) { return &live[at / kPage % kTracked]; }
static usize pagesOf(long bytes) { return ((usize)bytes + kPage - 1) / kPage; }

/* The pages of a mapping, and the bytes of a range that a call is about. */
static int overlaps(unsigned long at, usize pages, unsigned long first, usize bytes) {
  return at < first + pagesOf((long)bytes) * kPage && first < at + pages * kPage;
}

static void track(unsigned long at, usize pages) {
  struct tracked *place = placeOf(at);
  place->at = at;
  place->pages = pages;
}

static void clear(unsigned long at, usize bytes) {
  void *to = (void *)at;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
}

static void giveAllBack(void) {
  for (usize pages = 1; pages <= kLargest; pages++)
    while (numKept[pages])
      __fathom_kernel(__NR_munmap, (long)kept[pages][--numKept[pages]], (long)(pages * kPage), 0, 0,
                      0, 0);
  keptPages = 0;
}

void __fathom_keepMaps(int isKept) {
  if (!isKept) giveAllBack();
  isOn = isKept;
}

/* As malloc asks for memory. */
static int isPlain(const long *a) {
  return !a[0] && a[1] > 0 && pagesOf(a[1]) <= kLargest && a[2] == (PROT_READ | PROT_WRITE) &&
         a[3] == (MAP_PRIVATE | MAP_ANONYMOUS);
}

/* What the program does where it believes that nothing is mapped must find nothing. */
static void makeRoom(unsigned long first, usize bytes) {
  for (usize pages = 1; pages <= kLargest; pages++)
    for (unsigned i = 0; i < numKept[pages]; i++)
      if (overlaps(kept[pages][i], pages, first, bytes)) return giveAllBack();
}

int __fathom_keptMapCall(long number, const long *a, long *result) {
  if (keptPages && a[0]) makeRoom((unsigned long)a[0], (usize)a[1]);
  if (keptPages && number == __NR_mremap) makeRoom((unsigned long)a[4], (usize)a[2]);
  if (!isOn || __fathom_threadCount != 1) return 0;
  if (number == __NR_mmap && isPlain(a)) {
    const usize pages = pagesOf(a[1]);
    if (!numKept[pages]) return 0;
    const unsigned long at = kept[pages][--numKept[pages]];
    keptPages -= (unsigned)pages;
    clear(at, pages * kPage);
    track(at, pages);
    *result = (long)at;
    return 1;
  }
  if (number != __NR_munmap || a[1] <= 0) return 0;
  const usize pages = pagesOf(a[1]);
  struct tracked *place = placeOf((unsigned long)a[0]);
  if (!a[0] || place->at != (unsigned long)a[0] || place->pages != pages) return 0;
  if (numKept[pages] == kOfOneSize || keptPages + pages > kMost) return 0;
  place->at = 0;
  kept[pages][numKept[pages]++] = (unsigned long)a[0];
  keptPages += (unsigned)pages;
  *result = 0;
  return 1;
}

/* Whatever lies in the range is no longer what it was. */
static void forget(unsigned long first, usize bytes) {
  for (struct tracked *one = live; one < live + kTracked; one++)
    if (one->at && overlaps(one->at, one->pages, first, bytes)) one->at = 0;
}

void __fathom_mapMade(long number, const long *a, long result) {
  const int hasFailed = result < 0 && result > -kPage;
  if (number == __NR_mmap && hasFailed) return;
  if (number == __NR_mmap && isPlain(a)) return track((unsigned long)result, pagesOf(a[1]));
  /* A call that fails may have done a part. */
  forget(number == __NR_mmap ? (unsigned long)result : (unsigned long)a[0], (usize)a[1]);
  if (number == __NR_mremap && !hasFailed) forget((unsigned long)result, (usize)a[2]);
}
