/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into fuzzing variants (lib/campaign/MapPass.h inserts the counters): a fork server that
 * speaks AFL++'s protocol, and the recorder of what every execution covered.
 *
 * The recorder costs nothing inside of the program. An execution's map is complete in AFL++'s
 * shared memory when its process has ended, however it ended, and AFL++ does not touch it before it
 * is told so: in between, the fork server adds it to the map of the sampling unit. Not recorded is
 * an execution during which the fork server itself is killed (or only a part of it, when that
 * happens in between).
 *
 *   __AFL_SHM_ID       AFL++'s map, a System V shared memory segment
 *   __AFL_SHM_FUZZ_ID  the same for inputs, which harnesses take from there (harness.c)
 *   FATHOM_UNITS       the file of fuzz.h
 *   FATHOM_INSTANCE    number of this instance of afl-fuzz, for its stage
 *   FATHOM_ITERATIONS  of a harness: inputs for each process
 *   FATHOM_MAP_FILE    a file that is the map of one plain run, at least as long as it
 *   FATHOM_CRASH_FILE  see crash.c
 *   FATHOM_STATES      the file of states.h
 *   FATHOM_MOST_HEAP   bytes that the program may allocate, where there is AddressSanitizer
 *
 * The program itself gets an empty environment, so that it does the same in a campaign as alone.
 * Only system calls, as in trace.c.
 */
#include "fuzz.h"
#include "harness.h"

#include "../posix/syscalls.h"

#include <asm/unistd.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */
void __fathom_machine_start(long *stack);
void __fathom_catchCrashes(const char *file); /* crash.c */
int __fathom_fuzz_serve(void);
void __fathom_serveLater(void); /* defer.c */
/* asan.c and asan-heap.c, which only variants with AddressSanitizer have. */
__attribute__((weak)) void __fathom_asan_start(long *stack);
extern unsigned long __fathom_asan_mostHeap __attribute__((weak));
/* states.c */
void __fathom_openStates(void *memory, usize bytes);
void __fathom_noteStates(void *memory, usize bytes);
void __fathom_countStates(void);
/* objects.c */
void __fathom_openObjects(const long *stack);
void __fathom_beginPath(void);
/* comparisons.c, which only comparison variants have. */
__attribute__((weak)) void __fathom_logComparisons(void *log);

/* Defined by the instrumented module. */
extern const unsigned __fathom_fuzz_counters;
extern byte __fathom_fuzz_scratch[];
byte *__fathom_fuzz_map = __fathom_fuzz_scratch;

/* Turns of threads end only where one waits: branches are not counted here. */
void __fathom_beginSlice(void) {}
void __fathom_hasTurn(int thread) {}

/* AFL++: the control pipe, the status pipe is the next one; options of the first message. */
enum { kControl = 198, kStatus = 199 };
#define AFL_OPTIONS 0x80000001u
#define AFL_HAS_MAP_SIZE 0x40000000u
#define AFL_INPUT_IN_MEMORY 0x01000000u
#define AFL_COMPARISON_LOG 0x02000000u

enum { kKill = 9, kSetParentDeathSignal = 1, kReadWrite = 02, kCloseOnExec = 02000000 };
enum { kProtectReadWrite = 3, kShared = 1, kAnonymous = 0x20 };

static struct fathom_units *units;
static struct fathom_slot *slot;
static unsigned long *stageOfInstance;
static const byte *inputMemory; /* its length, 32 bits, and its bytes; null: standard input */

static long call3(long number, long a, long b, long c) {
  return __fathom_kernel(number, a, b, c, 0, 0, 0);
}

/* ---- the environment ---- */

/* afl-fuzz looks for this name in a program to see whether it is instrumented. */
static const char segmentName[] __attribute__((used)) = "__AFL_SHM_ID";

/* The value of an entry NAME=value, or null. */
static const char *valueOf(const char *entry, const char *name) {
  while (*name && *entry == *name) entry++, name++;
  return !*name && *entry == '=' ? entry + 1 : 0;
}

/* Takes all entries out: what is behind them, the auxiliary vector, moves down to where libc looks
 * for it. */
static void clearEnvironment(char **entries) {
  long *from = (long *)entries, *to = (long *)entries;
  while (*from) from++;
  from++;
  *to++ = 0;
  do {
    to[0] = from[0];
    to[1] = from[1];
    to += 2;
    from += 2;
  } while (to[-2]);
}

/* ---- the recorder ---- */

static byte *openShared(const char *file, usize *bytes) {
  long fd = call3(__NR_open, (long)file, kReadWrite | kCloseOnExec, 0);
  if (fd < 0) return 0;
  long end = call3(__NR_lseek, fd, 0, 2 /* SEEK_END */);
  long map = end <= 0 ? -1 : __fathom_kernel(__NR_mmap, 0, end, kProtectReadWrite, kShared, fd, 0);
  call3(__NR_close, fd, 0, 0);
  *bytes = (usize)end;
  return map < 0 && map > -4096 ? 0 : (byte *)map;
}

static unsigned long load(unsigned long *at) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }

static void pause(void) {
  struct fathom_time moment = {0, 1000000};
  call3(__NR_nanosleep, (long)&moment, 0, 0);
}

/* Claims a free slot. Only the driver frees slots of killed processes, so that no process can take
 * a slot that it is about to free; that may take it a moment. Null: no slot became free for
 * seconds. */
static struct fathom_slot *claimSlot(void) {
  enum { kTries = 5000 };
  unsigned long self = (unsigned long)call3(__NR_getpid, 0, 0, 0);
  for (int tries = 0; tries < kTries; tries++, pause())
    for (unsigned long i = 0; i < units->slots; i++) {
      struct fathom_slot *s =
          (struct fathom_slot *)((byte *)(units + 1) + i * FATHOM_SLOT_BYTES(units->mapBytes));
      unsigned long nobody = 0;
      if (__atomic_compare_exchange_n(&s->pid, &nobody, self, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
        return s;
    }
  return 0;
}

static int openUnits(const char *file, long instance) {
  usize bytes;
  units = (struct fathom_units *)openShared(file, &bytes);
  if (!units || bytes < sizeof *units || units->magic != FATHOM_UNITS_MAGIC ||
      units->bytes != bytes || units->counters != __fathom_fuzz_counters)
    return 0;
  if (instance < 0 || instance >= FATHOM_INSTANCES) return 0;
  stageOfInstance = &units->stages[instance].stage;
  slot = claimSlot();
  return slot != 0;
}

static unsigned long runningUnit(void) {
  const unsigned long size = units->unitExecutions;
  return size ? load(&units->numbered) / size : load(&units->unit);
}

struct execution {
  unsigned long unit, stage;
};

/* The unit of the execution that begins now. What it may write to is published before its unit is
 * settled, so that the driver, which looks in the other order, never takes a unit for finished that
 * we are still in. */
static struct execution beginExecution(void) {
  struct execution now = {0, *stageOfInstance};
  if (now.stage >= FATHOM_STAGES) now.stage = FATHOM_STAGE_UNKNOWN;
  __atomic_store_n(&slot->busyFrom, runningUnit(), __ATOMIC_SEQ_CST);
  unsigned long number = __atomic_fetch_add(&units->started, 1, __ATOMIC_SEQ_CST);
  if (units->mostExecutions && number >= units->mostExecutions) {
    __atomic_fetch_sub(&units->started, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->busyFrom, FATHOM_SLOT_IDLE, __ATOMIC_SEQ_CST);
    for (;;) pause(); /* until the driver, which sees that the bound is reached, ends us */
  }
  if (FATHOM_STAGE_IS_FUZZING(now.stage) && units->unitExecutions)
    now.unit = __atomic_fetch_add(&units->numbered, 1, __ATOMIC_SEQ_CST) / units->unitExecutions;
  else
    now.unit = runningUnit();
  __atomic_store_n(&slot->busyFrom, now.unit, __ATOMIC_SEQ_CST);
  while (now.unit >= load(&units->stored) + FATHOM_UNITS_KEPT) pause();
  return now;
}

static void endExecution(struct execution now) {
  typedef unsigned long __attribute__((may_alias)) word;
  const unsigned long place = now.unit % FATHOM_UNITS_KEPT;
  word *sum =
      (word *)FATHOM_SLOT_MAP(slot, place, !FATHOM_STAGE_IS_FUZZING(now.stage), units->mapBytes);
  const word *map = (const word *)__fathom_fuzz_map;
  /* First: a map that was written to is never taken for an empty one. */
  slot->executions[place][now.stage]++;
  const usize words = __fathom_fuzz_counters / sizeof(word);
  for (usize i = 0; i < words; i++)
    if (map[i]) sum[i] |= map[i];
  for (usize i = words * sizeof(word); i < __fathom_fuzz_counters; i++)
    ((byte *)sum)[i] |= __fathom_fuzz_map[i];
  __atomic_store_n(&slot->busyFrom, FATHOM_SLOT_IDLE, __ATOMIC_SEQ_CST);
}

/* ---- the fork server ---- */

/* What AFL++ is told, and what it answers. */
static int greet(int canLogComparisons) {
  unsigned hello = AFL_OPTIONS | AFL_HAS_MAP_SIZE | (__fathom_fuzz_counters - 1) << 1, answer;
  if (canLogComparisons) hello |= AFL_COMPARISON_LOG;
  if (inputMemory) hello |= AFL_INPUT_IN_MEMORY;
  return call3(__NR_write, kStatus, (long)&hello, 4) == 4 &&
         (!inputMemory || call3(__NR_read, kControl, (long)&answer, 4) == 4);
}

/* A process that takes several inputs (harness.c) speaks to AFL++ itself for all but the first: it
 * reads the request, answers with its number, and says that it has "stopped", which AFL++ takes for
 * the end of an input. So no process has to be stopped, waited for and continued, which takes
 * longer than most inputs. The fork server only waits for its end, and speaks for it then.
 *
 * AFL++ kills the process when an input takes too long. Shared memory then tells the fork server
 * which answer is due (enum phase). */
enum phase {
  kIdle,      /* AFL++ has been told all: it owes a request */
  kBeginning, /* which has been taken, and nothing else was done */
  kRunning,   /* a status is owed */
  kTelling    /* the status is being written, or just was */
};
static struct {
  volatile unsigned phase;
  struct execution now;
} *turn; /* null: every input has a process of its own */

static int isAsked(void) {
  unsigned wasKilled; /* which the fork server has seen itself */
  return call3(__NR_read, kControl, (long)&wasKilled, 4) == 4;
}

static long waitForRequest(int milliseconds) {
  struct {
    int fd;
    short events, returned;
  } control = {kControl, 1 /* POLLIN */, 0};
  return call3(__NR_poll, (long)&control, 1, milliseconds);
}

static int tell(int word) { return call3(__NR_write, kStatus, (long)&word, 4) == 4; }

static void fail(void) { call3(__NR_exit_group, 1, 0, 0); }

void __fathom_fuzz_next(void) {
  enum { kStopped = 0x137f /* by SIGSTOP */ };
  static int self;
  if (!self) self = (int)call3(__NR_getpid, 0, 0, 0);
  if (slot) endExecution(turn->now);
  turn->phase = kTelling;
  if (!tell(kStopped)) fail();
  turn->phase = kIdle;
  /* A process that is killed before the request comes must not consume it. poll does not return
   * then, whereas read could. */
  waitForRequest(-1);
  if (!isAsked()) fail();
  turn->phase = kBeginning;
  if (slot) turn->now = beginExecution();
  turn->phase = kRunning;
  if (!tell(self)) fail();
  __fathom_beginPath();
}

/* Returns in the children only, and where there is no AFL++. */
static void serve(void) {
  struct execution now = {0, 0};
  call3(__NR_prctl, kSetParentDeathSignal, kKill, 0);
  if (__fathom_fuzz_iterations > 1) {
    long page =
        __fathom_kernel(__NR_mmap, 0, sizeof *turn, kProtectReadWrite, kShared | kAnonymous, -1, 0);
    if (page < 0 && page > -4096) fail();
    turn = (void *)page;
  }
  while (isAsked()) {
    int status = 0;
    if (slot) now = beginExecution();
    if (turn) {
      turn->now = now;
      turn->phase = kRunning;
    }
    long child = call3(__NR_fork, 0, 0, 0);
    if (child == 0) {
      call3(__NR_prctl, kSetParentDeathSignal, kKill, 0);
      if (turn) { /* in this order: what it says next is how the input ended */
        if (!tell((int)call3(__NR_getpid, 0, 0, 0))) fail();
        return;
      }
      call3(__NR_close, kControl, 0, 0);
      call3(__NR_close, kStatus, 0, 0);
      return;
    }
    if (child < 0 || (!turn && !tell((int)child))) break;
    if (__fathom_kernel(__NR_wait4, child, (long)&status, 0, 0, 0, 0) < 0) break;
    __fathom_countStates();
    if (turn && turn->phase == kIdle) continue; /* it was killed when all was said */
    if (turn && turn->phase == kBeginning) break;
    if (turn && turn->phase == kTelling) {
      /* If it was said, the next request comes soon; if not, nothing does, and only a new afl-fuzz
       * helps. */
      if (waitForRequest(2000) > 0) continue;
      break;
    }
    if (slot) endExecution(turn ? turn->now : now);
    if (!tell(status)) break;
  }
  call3(__NR_exit_group, 0, 0, 0);
}

int __fathom_fuzz_serve(void) {
  /* At first it is only asked how large its map is; there is no log then. */
  if (!greet(/*canLogComparisons=*/__fathom_logComparisons != 0)) return 0;
  serve();
  return 1;
}

const byte *__fathom_fuzz_input(usize *bytes) {
  if (!inputMemory) return 0;
  *bytes = *(const unsigned *)inputMemory;
  return inputMemory + sizeof(unsigned);
}

static long number(const char *text) {
  long value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (*text - '0');
  return value;
}

/* Null when it cannot be had. */
static void *attach(const char *segment) {
  long at = call3(__NR_shmat, number(segment), 0, 0);
  return at < 0 && at > -4096 ? 0 : (void *)at;
}

/* Called first of all, with the stack as the kernel made it: argc, argv, NULL, envp, NULL, auxv. */
void __fathom_fuzz_start(long *stack) {
  enum {
    kMap,
    kInput,
    kLog,
    kLogs,
    kUnits,
    kInstance,
    kIterations,
    kMapFile,
    kCrashFile,
    kMaxHeap,
    kStates,
    kNames
  };
  static const char *const names[kNames] = {
      segmentName,           "__AFL_SHM_FUZZ_ID",
      "__AFL_CMPLOG_SHM_ID", "___AFL_EINS_ZWEI_POLIZEI___", /* for its comparisons */
      "FATHOM_UNITS",        "FATHOM_INSTANCE",
      "FATHOM_ITERATIONS",   "FATHOM_MAP_FILE",
      "FATHOM_CRASH_FILE",   "FATHOM_MOST_HEAP",
      "FATHOM_STATES"};
  const char *given[kNames] = {0}, *value;
  if (__fathom_asan_start) __fathom_asan_start(stack);
  __fathom_machine_start(stack);
  char **entries = (char **)(stack + stack[0] + 2);
  for (char **entry = entries; *entry; entry++)
    for (int i = 0; i < kNames; i++)
      if ((value = valueOf(*entry, names[i]))) given[i] = value;
  /* AFL++ 4.04c names the comparison variant as argv[0], and executes the fuzzing variant. */
  if (given[kLogs] && !__fathom_logComparisons) {
    char **arguments = (char **)(stack + 1);
    call3(__NR_execve, (long)arguments[0], (long)arguments, (long)entries);
    fail();
  }
  if (given[kMaxHeap] && &__fathom_asan_mostHeap)
    __fathom_asan_mostHeap = (unsigned long)number(given[kMaxHeap]);
  if (given[kMapFile]) {
    usize bytes;
    byte *map = openShared(given[kMapFile], &bytes);
    if (map && bytes >= __fathom_fuzz_counters) __fathom_fuzz_map = map;
  }
  if (given[kStates]) {
    usize bytes;
    byte *states = openShared(given[kStates], &bytes);
    __fathom_openStates(states, bytes);
    __fathom_openObjects(stack);
    /* A process without a fork server counts its states itself. */
    enum { kNotes = 1 << 20 };
    const long notes = given[kMap] ? __fathom_kernel(__NR_mmap, 0, kNotes, kProtectReadWrite,
                                                     kShared | kAnonymous, -1, 0)
                                   : -1;
    if (notes > 0 || notes <= -4096) __fathom_noteStates((void *)notes, kNotes);
  }
  if (given[kCrashFile]) __fathom_catchCrashes(given[kCrashFile]);
  if (given[kMap]) {
    /* Without its map or its units an execution would be lost: better none at all. */
    if (!(__fathom_fuzz_map = attach(given[kMap]))) fail();
    if (given[kUnits] && !openUnits(given[kUnits], given[kInstance] ? number(given[kInstance]) : 0))
      fail();
    if (__fathom_isHarness) {
      __fathom_fuzz_iterations = given[kIterations] ? number(given[kIterations]) : 1;
      if (given[kInput] && !(inputMemory = attach(given[kInput]))) fail();
    }
    if (__fathom_logComparisons && given[kLogs] && given[kLog]) {
      void *log = attach(given[kLog]);
      if (!log) fail();
      __fathom_logComparisons(log);
    }
    if (__fathom_isHarness)
      __fathom_fuzz_serve();
    else
      __fathom_serveLater();
  }
  clearEnvironment(entries);
}

/* The program's entry: libc's start code is in the instrumented module. */
__asm__(".text\n.global _start\n.type _start,@function\n_start:\n"
        "  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call _start_c\n  hlt\n"
        ".size _start, .-_start");
