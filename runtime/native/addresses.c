/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses as the engine has them, where the program looks at one as a number
 * (lib/program/PlaceAddresses.h inserts the calls). Variables and functions are found in tables
 * that the instrumented module defines; local variables in a stack of those that the engine has
 * objects for, kept here. A frame that was left by longjmp is noticed by the depth that setjmp's
 * caller puts back.
 */
#include "addresses.h"
#include "slots.h"

#include "../posix/schedule.h"

struct entry {
  unsigned long native, size, engine;
};

/* Defined by the instrumented module. */
extern const struct entry __fathom_variables[], __fathom_functions[];
extern const unsigned long __fathom_variables_count[1], __fathom_functions_count[1];
/* Defined by the linker. */
extern const byte __executable_start[], _end[];

/* ---- variables and functions ---- */

struct table {
  struct entry *byNative, *byEngine;
  usize count;
};
static struct table variables, functions;
static int areSorted;

static unsigned long keyOf(const struct entry *e, int byEngine) {
  return byEngine ? e->engine : e->native;
}

/* Merges runs that are in order already: the linker and the engine keep most of the module's. */
static struct entry *sorted(const struct entry *from, usize count, int byEngine) {
  struct entry *a = __fathom_reserve_memory(0, (count + 1) * sizeof *a),
               *b = __fathom_reserve_memory(0, (count + 1) * sizeof *b);
  if (!a || !b) __builtin_trap();
  fathomCopy(a, from, count * sizeof *a);
  for (;;) {
    usize runs = 0, out = 0;
    for (usize left = 0; left < count; runs++) {
      usize middle = left + 1;
      while (middle < count && keyOf(&a[middle - 1], byEngine) <= keyOf(&a[middle], byEngine))
        middle++;
      usize right = middle + (middle < count);
      while (right < count && keyOf(&a[right - 1], byEngine) <= keyOf(&a[right], byEngine)) right++;
      usize i = left, j = middle;
      while (i < middle || j < right)
        b[out++] = j >= right || (i < middle && keyOf(&a[i], byEngine) <= keyOf(&a[j], byEngine))
                       ? a[i++]
                       : a[j++];
      left = right;
    }
    struct entry *merged = b;
    b = a;
    a = merged;
    if (runs <= 1) return a;
  }
}

static void sort(void) {
  areSorted = 1;
  variables.count = __fathom_variables_count[0];
  functions.count = __fathom_functions_count[0];
  variables.byNative = sorted(__fathom_variables, variables.count, 0);
  variables.byEngine = sorted(__fathom_variables, variables.count, 1);
  functions.byNative = sorted(__fathom_functions, functions.count, 0);
  functions.byEngine = sorted(__fathom_functions, functions.count, 1);
}

/* The last one that begins at `key` or before, if the key is in it or just behind. */
static const struct entry *find(const struct entry *list, usize count, int byEngine,
                                unsigned long key) {
  usize low = 0, high = count;
  while (low < high) {
    const usize middle = (low + high) / 2;
    if (keyOf(&list[middle], byEngine) <= key)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return 0;
  const struct entry *e = &list[low - 1];
  return key - keyOf(e, byEngine) <= e->size ? e : 0;
}

static unsigned long seenInImage(unsigned long native) {
  if (!areSorted) sort();
  const struct entry *e = find(functions.byNative, functions.count, 0, native);
  if (e && e->native == native) return e->engine;
  e = find(variables.byNative, variables.count, 0, native);
  return e ? e->engine + (native - e->native) : native;
}

/* ---- local variables ---- */

struct local {
  unsigned long native, size, frame;
  unsigned k, index; /* its slot; k == 0: none was left */
};
enum { kMaxLocals = 1 << 20 };

static struct stack {
  struct local *locals;
  unsigned long depth; /* of the threads that do not run */
  unsigned long high;  /* how many are counted as living: those above the depth are gone */
} stacks[FATHOM_MAX_THREADS];
static int running;
static struct fathom_lane lane;

/* How many local variables the functions that were called and have not returned have. Instrumented
 * functions put it back themselves. */
unsigned long __fathom_depth;

static unsigned long depthOf(int thread) {
  return thread == running ? __fathom_depth : stacks[thread].depth;
}

static int lives(const struct fathom_slot *slot) {
  const unsigned long at = slot->size - 1;
  if (!slot->size || at >= depthOf((int)slot->owner)) return 0;
  const struct local *local = &stacks[slot->owner].locals[at];
  return local->k && &lane.slots[local->k][local->index] == slot;
}

static void settle(struct stack *stack) {
  while (stack->high > __fathom_depth) {
    const struct local *gone = &stack->locals[--stack->high];
    if (gone->k) lane.cursors[gone->k].live--;
  }
}

void __fathom_local(void *place, unsigned long size, unsigned long align, void *frame) {
  struct stack *stack = &stacks[running];
  if (!stack->locals)
    stack->locals = __fathom_reserve_memory(0, kMaxLocals * sizeof *stack->locals);
  if (!stack->locals) __builtin_trap();
  settle(stack);
  if (__fathom_depth == kMaxLocals) return; /* the engine calls that a stack overflow */
  struct local *local = &stack->locals[__fathom_depth];
  local->native = (unsigned long)place;
  local->size = place ? size : 0;
  local->frame = (unsigned long)frame;
  local->k = __fathom_takeSlot(&lane, FATHOM_LANE_STACK, size, align, &local->index, lives);
  if (local->k) {
    struct fathom_slot *slot = &lane.slots[local->k][local->index];
    slot->size = __fathom_depth + 1;
    slot->owner = (unsigned)running;
  }
  stack->high = ++__fathom_depth;
}

/* What was allocated below this address in the frame is gone. */
void __fathom_restored(void *top) {
  struct stack *stack = &stacks[running];
  while (__fathom_depth && stack->locals[__fathom_depth - 1].native &&
         stack->locals[__fathom_depth - 1].native < (unsigned long)top)
    __fathom_depth--;
}

void __fathom_useStack(int thread) {
  settle(&stacks[running]);
  stacks[running].depth = __fathom_depth;
  running = thread;
  __fathom_depth = stacks[thread].depth;
}

static unsigned long seenIn(const struct local *local, unsigned long native) {
  return fathom_slotBase(local->k, FATHOM_LANE_STACK, local->index) + (native - local->native);
}

/* Frames have lower addresses the deeper they are; a variable lies below its frame's, or, where it
 * was passed by value, above it and below the caller's. */
static unsigned long seenOnStack(unsigned long native) {
  const struct local *locals = stacks[running].locals;
  unsigned long low = 0, high = __fathom_depth;
  if (!locals || !high) return native;
  while (low < high) {
    const unsigned long middle = (low + high) / 2;
    if (locals[middle].frame > native)
      low = middle + 1;
    else
      high = middle;
  }
  const struct local *endsThere = 0; /* what is passed by value lies side by side */
  for (int side = 0; side < 2; side++) {
    /* the innermost frame above the address; then the outermost below it */
    long i = side ? (long)low : (long)low - 1;
    if (i < 0 || i >= (long)__fathom_depth) continue;
    const unsigned long frame = locals[i].frame;
    for (; i >= 0 && i < (long)__fathom_depth && locals[i].frame == frame; i += side ? 1 : -1) {
      const struct local *l = &locals[i];
      if (!l->native || !l->k || native - l->native > l->size) continue;
      if (native - l->native < l->size || !l->size) return seenIn(l, native);
      endsThere = l;
    }
  }
  if (endsThere) return seenIn(endsThere, native);
  return native;
}

/* ---- both ways ---- */

unsigned long __fathom_seen(const void *place) {
  const unsigned long native = (unsigned long)place;
  if (native >= (unsigned long)__executable_start && native <= (unsigned long)_end)
    return seenInImage(native);
  /* Above the engine's classes: stacks, and what the kernel maps. */
  return native >> 47 == 0 && native >> FATHOM_CLASS_SHIFT > FATHOM_MAX_CLASS ? seenOnStack(native)
                                                                              : native;
}

/* The engine's objects lie that far apart. */
enum { kNear = 1 << 20 };

unsigned long __fathom_seenBeside(const void *place, const void *other) {
  const unsigned long seen = __fathom_seen(place),
                      from = (unsigned long)place - (unsigned long)other;
  if (seen != (unsigned long)place || from + kNear >= 2 * kNear) return seen;
  const unsigned long otherSeen = __fathom_seen(other);
  return otherSeen == (unsigned long)other ? seen : otherSeen + from;
}

void *__fathom_placed(unsigned long address) {
  const unsigned long class = address >> FATHOM_CLASS_SHIFT;
  if (class == 1) {
    if (!areSorted) sort();
    const struct entry *e = find(functions.byEngine, functions.count, 1, address);
    return (void *)(e && e->engine == address ? e->native : address);
  }
  if (class < FATHOM_MIN_CLASS || class > FATHOM_MAX_CLASS) return (void *)address;
  if ((address & ((1ul << FATHOM_CLASS_SHIFT) - 1)) >> class < __fathom_first_slots[class]) {
    if (!areSorted) sort();
    const struct entry *e = find(variables.byEngine, variables.count, 1, address);
    return (void *)(e ? e->native + (address - e->engine) : address);
  }
  unsigned k, index;
  const struct fathom_slot *slot = __fathom_slotAt(&lane, FATHOM_LANE_STACK, address, &k, &index);
  if (!slot || !lives(slot)) return (void *)address;
  const struct local *local = &stacks[slot->owner].locals[slot->size - 1];
  const unsigned long base = fathom_slotBase(k, FATHOM_LANE_STACK, index);
  return (void *)(local->native ? local->native + (address - base) : address);
}

void *__fathom_moved(const void *from, void *to) {
  enum { kNullPage = 4096 };
  const unsigned long distance = (unsigned long)to - (unsigned long)from;
  if ((unsigned long)from < kNullPage) return __fathom_placed((unsigned long)to);
  return distance + kNear < 2 * kNear ? to : __fathom_placed(__fathom_seen(from) + distance);
}
