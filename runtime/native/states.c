/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into fuzzing variants: counts the states that the instrumented code hands over
 * (lib/campaign/StatePass.h) in the table of states.h. Without a table nothing is counted.
 *
 * A process that runs one input would pay a page fault for nearly every state, since the table is
 * large. So it only writes its states down, in memory that it shares with the fork server, which
 * has the table's pages and counts them when the process has ended. Without a fork server it
 * counts them itself.
 */
#include "states.h"
#include "../posix/syscalls.h"

/* Defined by the instrumented module, if it samples states. */
extern const unsigned __fathom_statePoints __attribute__((weak));

/* Defined if it samples paths: the point that has them. */
extern const unsigned __fathom_pathPoint __attribute__((weak));

static struct fathom_states *table;

/* A file mapped shared, of the table's kind; anything else is left alone. */
void __fathom_openStates(void *memory, usize bytes) {
  struct fathom_states *states = memory;
  if (!states || bytes < sizeof *states || states->magic != FATHOM_STATES_MAGIC ||
      states->bytes != bytes || !&__fathom_statePoints || states->points != __fathom_statePoints)
    return;
  table = states;
}

static unsigned long mix(unsigned long hash, unsigned long value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ul;
  return hash ^ hash >> 29;
}

static int isSame(const struct fathom_state *s, unsigned point, unsigned count,
                  const long *values) {
  if (s->point != point || s->count != count) return 0;
  for (unsigned i = 0; i < count; i++)
    if (s->values[i] != values[i]) return 0;
  return 1;
}

static void count(unsigned point, unsigned values, const long *value) {
  unsigned long key = mix(point + 1, values);
  for (unsigned i = 0; i < values; i++) key = mix(key, (unsigned long)value[i]);
  if (key <= FATHOM_STATE_BUSY) key += 2;
  const unsigned long mask = table->entries - 1;
  const int isPath = &__fathom_pathPoint && point == __fathom_pathPoint;
  for (unsigned long probe = 0; probe < FATHOM_STATE_PROBES; probe++) {
    struct fathom_state *s = &table->states[(key + probe) & mask];
    unsigned long found = __atomic_load_n(&s->key, __ATOMIC_ACQUIRE);
    if (found == FATHOM_STATE_FREE && isPath && table->paths >= table->entries / 2) break;
    if (found == FATHOM_STATE_FREE &&
        __atomic_compare_exchange_n(&s->key, &found, FATHOM_STATE_BUSY, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      s->point = point;
      s->count = values;
      for (unsigned i = 0; i < values; i++) s->values[i] = value[i];
      s->times = 1;
      if (isPath) __atomic_fetch_add(&table->paths, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&s->key, key, __ATOMIC_RELEASE);
      return;
    }
    if (found == key && isSame(s, point, values, value)) {
      __atomic_fetch_add(&s->times, 1, __ATOMIC_RELAXED);
      return;
    }
  }
  __atomic_fetch_add(&table->dropped, 1, __ATOMIC_RELAXED);
}

/* A sample that the process has noted and that is not counted yet. */
struct note {
  unsigned point, values;
  long value[FATHOM_STATE_VALUES];
};
static struct {
  volatile unsigned long used;
  struct note notes[];
} *notes;
static unsigned long mostNotes;

void __fathom_noteStates(void *memory, usize bytes) {
  notes = memory;
  mostNotes = (bytes - sizeof *notes) / sizeof *notes->notes;
}

void __fathom_countStates(void) {
  if (!notes || !table) return;
  const unsigned long used = notes->used;
  for (unsigned long i = 0; i < used && i < mostNotes; i++) {
    const struct note *n = &notes->notes[i];
    if (n->values <= FATHOM_STATE_VALUES) count(n->point, n->values, n->value);
  }
  notes->used = 0;
}

void __fathom_sampleState(unsigned point, unsigned values, const long *value) {
  if (!table) return;
  if (!notes || notes->used >= mostNotes) {
    count(point, values, value);
    return;
  }
  struct note *n = &notes->notes[notes->used];
  n->point = point;
  n->values = values;
  for (unsigned i = 0; i < values; i++) n->value[i] = value[i];
  notes->used++; /* last: a process can be killed at any moment */
}

static unsigned long pathHash = FATHOM_PATH_SEED;
static unsigned pathSides;

/* A process is about to take another input. */
void __fathom_beginPath(void) {
  pathHash = FATHOM_PATH_SEED;
  pathSides = 0;
}

void __fathom_tookSide(unsigned branch, unsigned side) {
  if (!table || pathSides >= FATHOM_PATH_SIDES) return;
  pathSides++;
  const long edge[3] = {(long)pathHash, (long)branch, (long)side};
  __fathom_sampleState(__fathom_pathPoint, 3, edge);
  pathHash = ((pathHash ^ (((unsigned long)branch << 20) + side + 1)) * 0x9E3779B97F4A7C15ul) ^
             (pathHash >> 29);
}
