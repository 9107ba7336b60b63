/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What code that LLVM's AddressSanitizer pass has instrumented calls, for a static program with
 * musl, which the runtime of LLVM does not support. libc is bitcode and instrumented like the
 * program, so no function of it has to be intercepted; of what the runtime of LLVM does, this is
 * the part that fuzzing needs: the first error ends the process, with a report as of any crash.
 *
 * Left out: use after return (there is no fake stack), leaks, order of initialisation.
 */
#include "asan.h"

#include <asm/unistd.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

/* The instrumented module's; registers its variables. */
__attribute__((weak)) void __fathom_asan_module(void);

static unsigned long stackTop;

/* ---- shadow ---- */

/* By words, as the compiler must not make a call of memset of it. */
static void fill(byte *to, byte value, usize count) {
  void *end = to;
  __asm__ volatile("rep stosb" : "+D"(end), "+c"(count) : "a"(value) : "memory");
}

void __fathom_asan_poison(unsigned long from, usize bytes, byte value) {
  byte *shadow = ASAN_SHADOW(from);
  fill(shadow, value, bytes >> 3);
  if (bytes & 7) shadow[bytes >> 3] = value ? value : (byte)(bytes & 7);
}

/* Called first of all. The shadow of all addresses, of which the kernel provides what is used. */
void __fathom_asan_start(long *stack) {
  enum { kReadWrite = 3, kFlags = 0x4032 /* FIXED, NORESERVE, PRIVATE|ANONYMOUS */ };
  enum { kNoHugePage = 15, kDontDump = 16 };
  long at = __fathom_kernel(__NR_mmap, ASAN_SHADOW_OFFSET, (long)ASAN_SHADOW_BYTES, kReadWrite,
                            kFlags, -1, 0);
  if (at != (long)ASAN_SHADOW_OFFSET) __fathom_kernel(__NR_exit_group, 1, 0, 0, 0, 0, 0);
  __fathom_kernel(__NR_madvise, at, (long)ASAN_SHADOW_BYTES, kNoHugePage, 0, 0, 0);
  __fathom_kernel(__NR_madvise, at, (long)ASAN_SHADOW_BYTES, kDontDump, 0, 0, 0);
  stackTop = (unsigned long)stack;
  if (__fathom_asan_module) __fathom_asan_module();
}

/* ---- reports ---- */

static enum fathom_check checkOf(byte shadow, int isBelow) {
  switch (shadow) {
  case kAsanHeap: return FATHOM_CHECK_HeapOverflow;
  case kAsanFreed: return FATHOM_CHECK_HeapUseAfterFree;
  case kAsanStackLeft: return isBelow ? FATHOM_CHECK_StackUnderflow : FATHOM_CHECK_StackOverflow;
  case kAsanStackMiddle:
  case kAsanStackRight: return FATHOM_CHECK_StackOverflow;
  case kAsanScope: return FATHOM_CHECK_StackUseAfterScope;
  case kAsanGlobal: return FATHOM_CHECK_GlobalOverflow;
  case kAsanAllocaLeft:
  case kAsanAllocaRight: return FATHOM_CHECK_AllocaOverflow;
  default: return FATHOM_CHECK_Unknown;
  }
}

static _Noreturn void report(unsigned long address, usize bytes, int isWrite, unsigned long call,
                             unsigned long frame) {
  static struct fathom_crash crash;
  /* The first byte that must not be accessed; what is said of eight of which some may be, is behind
   * them. */
  unsigned long bad = address;
  byte shadow = *ASAN_SHADOW(bad);
  while (bad + 1 < address + bytes && (shadow == 0 || (shadow < 8 && (bad & 7) < shadow)))
    shadow = *ASAN_SHADOW(++bad);
  if (shadow < 8) shadow = ASAN_SHADOW(bad)[1];
  crash.check = checkOf(shadow, /*isBelow=*/1);
  crash.address = address;
  crash.isWrite = (unsigned long)isWrite;
  crash.bytes = bytes;
  if (shadow == kAsanHeap || shadow == kAsanFreed)
    crash.hasBlock = (unsigned long)__fathom_asan_describe(address, &crash);
  __fathom_checkFailed(&crash, call, frame);
}

#define HERE (unsigned long)__builtin_return_address(0)
/* Of the caller, which keeps a frame pointer: what ours saves. */
#define FRAME *(unsigned long *)__builtin_frame_address(0)

/* Is one of these bytes poisoned? */
static int isPoisoned(unsigned long address, usize bytes) {
  const byte *shadow = ASAN_SHADOW(address), *last = ASAN_SHADOW(address + bytes - 1);
  if (!bytes) return 0;
  for (; shadow < last; shadow++)
    if (*shadow) return 1;
  return *last && ((address + bytes - 1) & 7) >= *last;
}

#define ACCESS(verb, size, isWrite)                                                                \
  void __asan_report_##verb##size(unsigned long address) {                                         \
    report(address, size, isWrite, HERE, FRAME);                                                   \
  }                                                                                                \
  void __asan_##verb##size(unsigned long address) {                                                \
    if (__builtin_expect(isPoisoned(address, size), 0))                                            \
      report(address, size, isWrite, HERE, FRAME);                                                 \
  }
#define ACCESS_N(verb, isWrite)                                                                    \
  void __asan_report_##verb##_n(unsigned long address, usize bytes) {                              \
    report(address, bytes, isWrite, HERE, FRAME);                                                  \
  }                                                                                                \
  void __asan_##verb##N(unsigned long address, usize bytes) {                                      \
    if (__builtin_expect(isPoisoned(address, bytes), 0))                                           \
      report(address, bytes, isWrite, HERE, FRAME);                                                \
  }
#define ACCESSES(verb, isWrite)                                                                    \
  ACCESS(verb, 1, isWrite)                                                                         \
  ACCESS(verb, 2, isWrite)                                                                         \
  ACCESS(verb, 4, isWrite)                                                                         \
  ACCESS(verb, 8, isWrite) ACCESS(verb, 16, isWrite) ACCESS_N(verb, isWrite)
ACCESSES(load, 0)
ACCESSES(store, 1)

/* ---- memcpy and its kin, where they are operations ---- */

static void copyUp(byte *to, const byte *from, usize count) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

void *__asan_memcpy(byte *to, const byte *from, usize count) {
  if (isPoisoned((unsigned long)from, count)) report((unsigned long)from, count, 0, HERE, FRAME);
  if (isPoisoned((unsigned long)to, count)) report((unsigned long)to, count, 1, HERE, FRAME);
  copyUp(to, from, count);
  return to;
}
void *__asan_memmove(byte *to, const byte *from, usize count) {
  if (isPoisoned((unsigned long)from, count)) report((unsigned long)from, count, 0, HERE, FRAME);
  if (isPoisoned((unsigned long)to, count)) report((unsigned long)to, count, 1, HERE, FRAME);
  if ((usize)(to - from) >= count)
    copyUp(to, from, count);
  else
    while (count--) ((volatile byte *)to)[count] = from[count];
  return to;
}
void *__asan_memset(byte *to, int value, usize count) {
  if (isPoisoned((unsigned long)to, count)) report((unsigned long)to, count, 1, HERE, FRAME);
  fill(to, (byte)value, count);
  return to;
}

/* ---- variables ---- */

struct variable { /* LLVM's __asan_global */
  unsigned long begin, bytes, bytesWithRedzone, name, module, isDynamic, location, indicator;
};

void __asan_init(void) {}
void __asan_register_globals(struct variable *variables, usize count) {
  for (usize i = 0; i < count; i++) {
    const struct variable *v = &variables[i];
    const usize whole = (v->bytes + 7) & ~7ul;
    __fathom_asan_poison(v->begin, v->bytes, 0);
    __fathom_asan_poison(v->begin + whole, v->bytesWithRedzone - whole, kAsanGlobal);
  }
}
void __asan_unregister_globals(struct variable *variables, usize count) {
  (void)variables, (void)count;
}

#define SET_SHADOW(name, value)                                                                    \
  void __asan_set_shadow_##name(byte *shadow, usize count) { fill(shadow, value, count); }
SET_SHADOW(00, 0)
SET_SHADOW(01, 1)
SET_SHADOW(02, 2)
SET_SHADOW(03, 3)
SET_SHADOW(04, 4)
SET_SHADOW(05, 5)
SET_SHADOW(06, 6)
SET_SHADOW(07, 7)
SET_SHADOW(f1, kAsanStackLeft)
SET_SHADOW(f2, kAsanStackMiddle)
SET_SHADOW(f3, kAsanStackRight)
SET_SHADOW(f5, 0xf5)
SET_SHADOW(f8, kAsanScope)

void __asan_poison_stack_memory(unsigned long from, usize bytes) {
  __fathom_asan_poison(from, bytes, kAsanScope);
}
void __asan_unpoison_stack_memory(unsigned long from, usize bytes) {
  __fathom_asan_poison(from, bytes, 0);
}

enum { kAllocaZone = 32 };

void __asan_alloca_poison(unsigned long address, usize bytes) {
  const unsigned long rounded = (bytes + kAllocaZone - 1) & -(usize)kAllocaZone;
  __fathom_asan_poison(address - kAllocaZone, kAllocaZone, kAsanAllocaLeft);
  if (rounded > bytes) {
    __fathom_asan_poison(address + (bytes & ~7ul), rounded - (bytes & ~7ul), kAsanAllocaRight);
    if (bytes & 7) *ASAN_SHADOW(address + bytes) = (byte)(bytes & 7);
  }
  __fathom_asan_poison(address + rounded, kAllocaZone, kAsanAllocaRight);
}
void __asan_allocas_unpoison(unsigned long top, unsigned long bottom) {
  if (top && top <= bottom) __fathom_asan_poison(top, bottom - top, 0);
}

/* Before longjmp, exit and their like: frames are left without their ends being reached. Of another
 * thread's stack the end is not known; its frames are seldom larger than this. */
void __asan_handle_no_return(void) {
  enum { kOther = 65536, kMost = 64 << 20 };
  const unsigned long from = (unsigned long)__builtin_frame_address(0) & ~7ul;
  const int isFirst = from < stackTop && stackTop - from < kMost;
  __fathom_asan_poison(from, isFirst ? (stackTop - from) & ~7ul : kOther, 0);
}
