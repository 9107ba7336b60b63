/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs that define LLVMFuzzerTestOneInput, under the fork server: one process takes many inputs
 * (AFL++'s persistent mode), which saves a fork, the start of libc and the program's own
 * initialisation for each.
 *
 * An input is to be seen as if it were the process's first:
 *
 *   - What LLVMFuzzerInitialize covered counts for every input, as it does in a process of its own;
 *     later inputs find its counters as it left them.
 *   - Clock and random bytes begin anew.
 *   - Each has a buffer of exactly its size.
 *
 * What the program itself keeps from one input to the next (caches, leaks, descriptors) stays until
 * the process has had its number of inputs.
 */
#include "harness.h"
#include "keptmaps.h"

#include "../posix/state.h"

#include <asm/unistd.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

/* The program's; they are there when __fathom_isHarness is set, but for the second. */
__attribute__((weak)) int LLVMFuzzerTestOneInput(const byte *data, usize bytes);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
__attribute__((weak)) int __fathom_harness_main(int argc, char **argv, char **environment);
__attribute__((weak)) void *malloc(usize bytes);
__attribute__((weak)) void free(void *memory);

long __fathom_fuzz_iterations;

enum { kReadWrite = 3, kPrivateAnonymous = 0x22 };

static void *map(usize bytes) {
  long at = __fathom_kernel(__NR_mmap, 0, (long)bytes, kReadWrite, kPrivateAnonymous, /*fd=*/-1, 0);
  if (at < 0 && at > -4096) __fathom_kernel(__NR_exit_group, 1, 0, 0, 0, 0, 0);
  return (void *)at;
}

static void copy(byte *to, const byte *from, usize count) {
  for (usize i = 0; i < count; i++) to[i] = from[i];
}

/* Into memory that is kept, because the program's heap is not ours. */
static const byte *readStandardInput(usize *bytes) {
  static byte *buffer;
  static usize room;
  for (*bytes = 0;;) {
    if (*bytes == room) {
      byte *larger = map(room ? 2 * room : 65536);
      copy(larger, buffer, room);
      if (room) __fathom_kernel(__NR_munmap, (long)buffer, (long)room, 0, 0, 0, 0);
      room = room ? 2 * room : 65536;
      buffer = larger;
    }
    long got =
        __fathom_kernel(__NR_read, 0, (long)(buffer + *bytes), (long)(room - *bytes), 0, 0, 0);
    if (got <= 0) return buffer;
    *bytes += (usize)got;
  }
}

static void runInput(void) {
  usize bytes;
  const byte *input = __fathom_fuzz_input(&bytes);
  if (!input) input = readStandardInput(&bytes);
  byte *data = malloc(bytes ? bytes : 1);
  copy(data, input, bytes);
  LLVMFuzzerTestOneInput(data, bytes);
  free(data);
}

/* Stands in for main, which is __fathom_harness_main then. */
int __fathom_fuzz_main(int argc, char **argv, char **environment) {
  if (!__fathom_fuzz_iterations) return __fathom_harness_main(argc, argv, environment);
  const usize counters = __fathom_fuzz_counters;
  byte *initialised = 0; /* counters that it left; null: none */
  if (LLVMFuzzerInitialize) {
    LLVMFuzzerInitialize(&argc, &argv);
    for (usize i = 0; i < counters && !initialised; i++)
      if (__fathom_fuzz_map[i]) initialised = map(counters);
    if (initialised) copy(initialised, __fathom_fuzz_map, counters);
  }
  const struct fathom_time clock = __fathom_clock;
  const unsigned long random = __fathom_randomState;
  for (long left = __fathom_fuzz_iterations;;) {
    if (&__fathom_keepMaps) __fathom_keepMaps(left % 8 != 0);
    runInput();
    if (--left <= 0) break;
    __fathom_fuzz_next();
    /* AFL++ has cleared the map and written the next input. */
    if (initialised) copy(__fathom_fuzz_map, initialised, counters);
    __fathom_clock = clock;
    __fathom_randomState = random;
  }
  /* As libFuzzer ends: functions registered with atexit belong to no input. */
  __fathom_kernel(__NR_exit_group, 0, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}
