/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into fuzzing variants: in which object an address is, for samples of accesses
 * (lib/campaign/StateAccess.h). Asked for few of all accesses, so looking may take a moment, and
 * nothing is written down when objects are made:
 *
 *   globals  a table that the module has, sorted when the fork server starts
 *   locals   those whose addresses get around are in a list that functions keep while they run
 *   argv     the array and the strings, as they were when the process started
 *   heap     what musl's allocator (mallocng) knows of its slots, read in its own tables
 *
 * An address right behind an object belongs to it where it belongs to no other: loops come there.
 */
#include "../posix/syscalls.h"

void __fathom_sampleState(unsigned point, unsigned values, const long *value); /* states.c */

struct object {
  unsigned long at, bytes;
};

/* ---- globals ---- */

/* Defined by the instrumented module, if it samples such accesses. */
extern struct object __fathom_objects[] __attribute__((weak));
extern const unsigned long __fathom_objectCount __attribute__((weak));

/* argv and what it points to. Programs move the pointers (getopt), so that these are kept. */
enum { kMaxArguments = 64 };
static struct object arguments[kMaxArguments + 1];
static unsigned long argumentCount;

static void keepArguments(const long *stack) {
  const long count = stack[0];
  arguments[argumentCount++] =
      (struct object){(unsigned long)(stack + 1), ((unsigned long)count + 1) * sizeof *stack};
  for (long i = 0; i < count && i < kMaxArguments; i++) {
    const char *text = (const char *)stack[1 + i];
    unsigned long length = 0;
    while (text[length]) length++;
    arguments[argumentCount++] = (struct object){(unsigned long)text, length + 1};
  }
}

/* Globals by address, in place (Shell's sort). `stack`: as the kernel left it. */
void __fathom_openObjects(const long *stack) {
  if (!&__fathom_objectCount) return;
  keepArguments(stack);
  struct object *table = __fathom_objects;
  for (unsigned long gap = __fathom_objectCount / 2; gap; gap /= 2)
    for (unsigned long i = gap; i < __fathom_objectCount; i++) {
      const struct object moved = table[i];
      unsigned long j = i;
      for (; j >= gap && table[j - gap].at > moved.at; j -= gap) table[j] = table[j - gap];
      table[j] = moved;
    }
}

/* `behind`: 1 where the address right behind an object counts for it. */
static int contains(const struct object *o, unsigned long address, unsigned long behind) {
  return address >= o->at && address - o->at < o->bytes + behind;
}

static int findGlobal(unsigned long address, unsigned long behind, struct object *found) {
  if (!&__fathom_objectCount) return 0;
  unsigned long low = 0, high = __fathom_objectCount; /* the last that begins before or there */
  while (low < high) {
    const unsigned long middle = low + (high - low) / 2;
    if (__fathom_objects[middle].at <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low || !contains(&__fathom_objects[low - 1], address, behind)) return 0;
  *found = __fathom_objects[low - 1];
  return 1;
}

static int findArgument(unsigned long address, struct object *found) {
  for (unsigned long i = 0; i < argumentCount; i++)
    if (contains(&arguments[i], address, 0)) {
      *found = arguments[i];
      return 1;
    }
  return 0;
}

/* ---- locals ---- */

/* Of trackLocals. */
struct locals {
  const struct locals *before;
  unsigned long count;
  struct object of[];
};

static int findLocal(const struct locals *locals, unsigned long address, unsigned long behind,
                     struct object *found) {
  enum { kMaxRecords = 256 };
  for (int i = 0; locals && i < kMaxRecords; i++, locals = locals->before)
    for (unsigned long k = 0; k < locals->count; k++)
      if (contains(&locals->of[k], address, behind)) {
        *found = locals->of[k];
        return 1;
      }
  return 0;
}

/* ---- the heap ---- */

/* mallocng's own words (musl, src/malloc/mallocng/meta.h). A group has slots of one size, and lies
 * itself in a slot of another group, or in pages of its own. */
enum { kUnit = 16, kHeader = 4 };

struct meta;
struct group {
  struct meta *meta;
  byte active, pad[kUnit - sizeof(struct meta *) - 1];
  byte storage[];
};
struct meta {
  struct meta *prev, *next;
  struct group *mem;
  volatile int avail_mask, freed_mask;
  unsigned long last_idx : 5, freeable : 1, sizeclass : 6, maplen : 52;
};
struct meta_area {
  unsigned long check;
  struct meta_area *next;
  int nslots;
  struct meta slots[];
};
struct malloc_context {
  unsigned long secret;
  int init_done;
  unsigned mmap_counter;
  struct meta *free_meta_head, *avail_meta;
  unsigned long avail_meta_count, avail_meta_area_count, meta_alloc_shift;
  struct meta_area *meta_area_head, *meta_area_tail;
};
/* Not there in a program that allocates nothing, and with AddressSanitizer. */
extern struct malloc_context __malloc_context __attribute__((weak, visibility("hidden")));
extern const unsigned short __malloc_size_classes[] __attribute__((weak, visibility("hidden")));

static unsigned long strideOf(const struct meta *m) {
  enum { kClasses = 48 };
  if (!m->last_idx && m->maplen) return m->maplen * 4096ul - kUnit;
  return m->sizeclass < kClasses ? kUnit * (unsigned long)__malloc_size_classes[m->sizeclass] : 0;
}

/* The block in a slot that is in use. */
static int blockIn(const byte *slot, unsigned long stride, struct object *found) {
  const byte *block = slot, *end = slot + stride - kHeader;
  if (block[-3] == 7 << 5) block += kUnit * (unsigned long)*(const unsigned short *)(slot - 2);
  if (block >= end) return 0;
  unsigned long reserved = block[-3] >> 5;
  if (reserved >= 5) reserved = *(const unsigned *)(end - 4);
  if (reserved > (unsigned long)(end - block)) return 0; /* overwritten */
  found->at = (unsigned long)block;
  found->bytes = (unsigned long)(end - block) - reserved;
  return 1;
}

/* A slot that holds a group is larger than the group's own. */
static int findBlock(unsigned long address, struct object *found) {
  if (!&__malloc_context || !__malloc_size_classes) return 0;
  unsigned long least = ~0ul;
  const byte *slot = 0;
  int isFree = 0;
  for (const struct meta_area *area = __malloc_context.meta_area_head; area; area = area->next)
    for (int i = 0; i < area->nslots; i++) {
      const struct meta *m = &area->slots[i];
      if (!m->mem) continue;
      const unsigned long first = (unsigned long)m->mem->storage, stride = strideOf(m);
      if (!stride || stride >= least || address < first || (address - first) / stride > m->last_idx)
        continue;
      const unsigned long index = (address - first) / stride;
      least = stride;
      slot = (const byte *)(first + index * stride);
      isFree = ((unsigned)(m->avail_mask | m->freed_mask) >> index) & 1;
    }
  return slot && !isFree && blockIn(slot, least, found);
}

/* ---- samples ---- */

static int find(unsigned long address, const struct locals *locals, struct object *found) {
  return findLocal(locals, address, 0, found) || findGlobal(address, 0, found) ||
         findArgument(address, found) || findBlock(address, found) ||
         findLocal(locals, address, 1, found) || findGlobal(address, 1, found);
}

/* value[0]: the offset from `base`, to which base's own is added; value[1]: gets the size. A state
 * without values: the access was reached, in an object that is not known. */
void __fathom_sampleAccess(unsigned point, unsigned values, long *value, unsigned long base,
                           const struct locals *locals) {
  enum { kNull = 4096 };
  struct object o = {0, 0};
  if (base >= kNull && !find(base, locals, &o)) {
    __fathom_sampleState(point, 0, value);
    return;
  }
  /* An end from which the program counts back: of the object before, not of the one behind it. */
  struct object before;
  if (base >= kNull && value[0] < 0 && base == o.at && find(base - 1, locals, &before)) o = before;
  value[0] += (long)(base - o.at);
  value[1] = (long)o.bytes;
  __fathom_sampleState(point, values, value);
}
