/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into native trace variants (lib/program/Instrument.h inserts the calls). Only system
 * calls: nothing of libc is used, so that the program is not changed by being watched.
 *
 * FATHOM_TRACE_FILE names the file of trace.h. The variable is taken out of the environment before
 * libc sees it: a program that prints its environment prints the same as without us.
 */
#include "trace.h"

#include "addresses.h"
#include "allocation.h"
#include "maps.h"
#include "replay.h"

#include <fathom/abi.h>

typedef unsigned long word;

extern word __fathom_heapLimit, __fathom_mostHeap; /* heap.c */
/* machine.c */
long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f);
void __fathom_machine_start(long *stack);
void __fathom_preempted(void); /* thread.c */

enum { kOpen = 2, kClose = 3, kMmap = 9 };
enum { kReadWrite = 2, kCloseOnExec = 02000000, kProtectReadWrite = 3, kShared = 1 };

/* Defined by the instrumented module: bytes for branch sides and lines until a file is mapped. */
extern unsigned char __fathom_cover_scratch[];
extern const unsigned __fathom_cover_bytes;
unsigned char *__fathom_cover_map = __fathom_cover_scratch;

static struct fathom_trace scratch;
static struct fathom_trace *trace = &scratch;
/* Where the module notes the line that runs. */
unsigned long *__fathom_line = &scratch.line;

/* When as many branches have been taken, another thread has its turn. */
static word sliceEnd = ~0ul;
void __fathom_beginSlice(void) { sliceEnd = trace->count + FATHOM_SLICE_BRANCHES; }

void __fathom_hasTurn(int thread) { __fathom_useStack(thread); }

/* The same as explore::traceStep. The process that makes the trace file sets the seed; for runs
 * without a file, the seed is set here. */
void __fathom_trace(unsigned id, unsigned side, unsigned coverIndex) {
  struct fathom_trace *t = trace;
  t->hash = ((t->hash ^ (((word)id << 20) + side + 1)) * 0x9E3779B97F4A7C15ul) ^ (t->hash >> 29);
  word n = ++t->count;
  if ((n & (n - 1)) == 0) t->checkpoints[__builtin_ctzl(n)] = t->hash;
  if (n == t->wanted) t->hashAtWanted = t->hash;
  __fathom_cover_map[coverIndex] = 1;
  if (n >= sliceEnd) {
    __fathom_beginSlice();
    __fathom_preempted();
  }
}

const char *__fathom_callsSocket(void) { return trace->calls; }

static int startsWith(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix) text++, prefix++;
  return !*prefix;
}

/* Called first of all, with the stack as the kernel made it: argc, argv, NULL, envp, NULL, auxv. */
void __fathom_trace_start(long *stack) {
  __fathom_machine_start(stack);
  const struct fathom_replay_hooks hooks = {__fathom_placed, __fathom_mapCall, __fathom_forgetMap};
  __fathom_machine_replays(&hooks);
  char **entry = (char **)(stack + stack[0] + 2);
  const char *file = 0;
  while (*entry && !file) {
    if (!startsWith(*entry, "FATHOM_TRACE_FILE=")) {
      entry++;
      continue;
    }
    file = *entry + sizeof "FATHOM_TRACE_FILE=" - 1;
    /* Everything behind it moves down by one word, up to the end of auxv: libc looks for auxv
     * behind envp's NULL. */
    word *to = (word *)entry;
    while (to[0] = to[1], to[1]) to++;
    to++; /* the NULL of envp now */
    do {
      to[0] = to[1];
      to[1] = to[2];
      to += 2;
    } while (to[-2]);
  }
  if (!file) return;
  word size = sizeof(struct fathom_trace) + __fathom_cover_bytes;
  long fd = __fathom_kernel(kOpen, (long)file, kReadWrite | kCloseOnExec, 0, 0, 0, 0);
  if (fd < 0) return;
  long map = __fathom_kernel(kMmap, 0, (long)size, kProtectReadWrite, kShared, fd, 0);
  __fathom_kernel(kClose, fd, 0, 0, 0, 0, 0);
  if (map < 0 && map > -4096) return;
  struct fathom_trace *mapped = (struct fathom_trace *)map;
  if (mapped->magic != FATHOM_TRACE_MAGIC || mapped->coverBytes != __fathom_cover_bytes) return;
  mapped->started = 1;
  if (mapped->memory) __fathom_heapLimit = mapped->memory;
  if (mapped->mostHeap) __fathom_mostHeap = mapped->mostHeap;
  trace = mapped;
  __fathom_cover_map = mapped->cover;
  __fathom_line = &mapped->line;
  __fathom_failAllocations(mapped->failing, mapped->failures);
}

/* The program's entry: libc's start code is in the instrumented module. */
__asm__(".text\n.global _start\n.type _start,@function\n_start:\n"
        "  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call _start_c\n  hlt\n"
        ".size _start, .-_start");
