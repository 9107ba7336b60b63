/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loaded by afl-fuzz as a custom mutator that mutates nothing. It does two things.
 *
 * Before every execution it writes the stage in which afl-fuzz is to where fork servers read it
 * (runtime/native/fuzz.h), so that calibration, trimming and the comparison log are recorded apart.
 *
 * It gives afl-fuzz the inputs that others leave in a folder while it runs (FATHOM_INBOX): files
 * 000000, 000001, ... afl-fuzz asks for them whenever an entry of its queue has its turn, executes
 * them, and keeps those that are new to it. Its own exchange between instances looks only once a
 * minute. These executions are recorded as exchange.
 *
 * afl-fuzz calls afl_custom_post_process for every input that it is about to execute, in all
 * stages, and gives afl_custom_init its state. The state holds the name of the stage
 * ("calibration", "trim 64/64", "havoc", ...), at a place that no installed header tells. It is
 * found by what it says at that moment: the only pointer in the state to the text "init". Where
 * that does not hold, in another version of AFL++, stages stay unknown; the driver counts such
 * executions and says so.
 */
#define _GNU_SOURCE
#include "../native/fuzz.h"

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct range {
  const char *begin, *end;
};
static struct range program, state;
static const char **stageName; /* null: not found */
static unsigned long *said;
static const char *inbox;
static unsigned long nextInput;
static int isFromInbox; /* the input that is executed next */

static int holds(struct range range, const char *at) { return at >= range.begin && at < range.end; }

/* A text of at most `most` bytes in memory that is surely ours to read. */
static int isText(const char *at, const char *expected, size_t most) {
  struct range in = holds(program, at) ? program : state;
  if (!holds(in, at) || (size_t)(in.end - at) < most) return 0;
  return strncmp(at, expected, most) == 0;
}

/* The first object is the program itself. */
static int findProgram(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD) continue;
    const char *begin = (const char *)(info->dlpi_addr + segment->p_vaddr);
    if (!program.begin) program.begin = begin;
    program.end = begin + segment->p_memsz;
  }
  return 1;
}

static void findStageName(void) {
  const char **found = 0;
  dl_iterate_phdr(findProgram, 0);
  for (const char **at = (const char **)state.begin; (const char *)(at + 1) <= state.end; at++)
    if (holds(program, *at) && isText(*at, "init", sizeof "init")) {
      if (found) return; /* more than one: no telling which */
      found = at;
    }
  stageName = found;
}

static void openUnits(void) {
  const char *file = getenv("FATHOM_UNITS"), *instance = getenv("FATHOM_INSTANCE");
  const long number = instance ? atol(instance) : 0;
  if (!file || number < 0 || number >= FATHOM_INSTANCES) return;
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  struct fathom_units *units = mmap(0, sizeof *units, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (units != MAP_FAILED && units->magic == FATHOM_UNITS_MAGIC)
    said = &units->stages[number].stage;
}

static enum fathom_stage stage(void) {
  static const struct {
    const char *name;
    size_t length;
    enum fathom_stage stage;
  } names[] = {{"calibration", 11, FATHOM_STAGE_CALIBRATION},
               {"trim ", 5, FATHOM_STAGE_TRIMMING},
               {"colorization", 12, FATHOM_STAGE_COMPARISONS},
               {"input-to-state", 14, FATHOM_STAGE_COMPARISONS},
               {"sync ", 5, FATHOM_STAGE_SYNC},
               {"foreign sync", 12, FATHOM_STAGE_SYNC}};
  const char *name = stageName ? *stageName : 0;
  if (!name || (!holds(program, name) && !holds(state, name))) return FATHOM_STAGE_UNKNOWN;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (isText(name, names[i].name, names[i].length)) return names[i].stage;
  return isText(name, "init", sizeof "init") ? FATHOM_STAGE_UNKNOWN : FATHOM_STAGE_FUZZING;
}

void *afl_custom_init(void *afl, unsigned seed) {
  (void)seed;
  state.begin = afl;
  state.end = state.begin + malloc_usable_size(afl);
  openUnits();
  inbox = getenv("FATHOM_INBOX");
  findStageName();
  if (said) *said = FATHOM_STAGE_UNKNOWN;
  return afl;
}

size_t afl_custom_post_process(void *data, unsigned char *input, size_t bytes,
                               unsigned char **out) {
  (void)data;
  if (said) *(volatile unsigned long *)said = isFromInbox ? FATHOM_STAGE_SYNC : stage();
  isFromInbox = 0;
  *out = input;
  return bytes;
}

static int openInput(unsigned long number) {
  char path[4096];
  const int size = snprintf(path, sizeof path, "%s/%06lu", inbox, number);
  if (size < 0 || size >= (int)sizeof path) return -1;
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* How many inputs wait; afl-fuzz asks for so many, and then goes on with its queue. */
unsigned afl_custom_fuzz_count(void *data, const unsigned char *input, size_t bytes) {
  (void)data, (void)input, (void)bytes;
  const unsigned most = 64;
  unsigned waiting = 0;
  for (int fd; inbox && waiting < most && (fd = openInput(nextInput + waiting)) >= 0; waiting++)
    close(fd);
  return waiting;
}

size_t afl_custom_fuzz(void *data, unsigned char *input, size_t bytes, unsigned char **out,
                       unsigned char *other, size_t otherBytes, size_t most) {
  static unsigned char *buffer;
  static size_t room;
  (void)data, (void)input, (void)bytes, (void)other, (void)otherBytes;
  *out = 0;
  const int fd = inbox ? openInput(nextInput) : -1;
  if (fd < 0) return 0;
  nextInput++;
  if (room < most) {
    free(buffer);
    buffer = malloc(most);
    room = buffer ? most : 0;
  }
  size_t size = 0;
  for (ssize_t n; size < room && (n = read(fd, buffer + size, room - size)) > 0;) size += (size_t)n;
  close(fd);
  isFromInbox = size > 0;
  *out = buffer;
  return size;
}

void afl_custom_deinit(void *data) { (void)data; }
