/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What crash.c writes and lib/campaign/CrashStack.h reads. Plain C, included by both.
 */
#ifndef FATHOM_NATIVE_CRASH_H
#define FATHOM_NATIVE_CRASH_H

#define FATHOM_CRASH_MAGIC 0x3268737243746146ul /* "FatCrsh2" */
#define FATHOM_CRASH_CALLS 256
#define FATHOM_CRASH_SITES 8

/* A check of a sanitizer that failed: name, what clang's sanitizers call it. */
#define FATHOM_CHECKS(CHECK)                                                                       \
  CHECK(HeapOverflow, "heap-buffer-overflow")                                                      \
  CHECK(HeapUseAfterFree, "heap-use-after-free")                                                   \
  CHECK(StackOverflow, "stack-buffer-overflow")                                                    \
  CHECK(StackUnderflow, "stack-buffer-underflow")                                                  \
  CHECK(StackUseAfterScope, "stack-use-after-scope")                                               \
  CHECK(GlobalOverflow, "global-buffer-overflow")                                                  \
  CHECK(AllocaOverflow, "dynamic-stack-buffer-overflow")                                           \
  CHECK(Unknown, "use-after-poison")                                                               \
  CHECK(DoubleFree, "double-free")                                                                 \
  CHECK(InvalidFree, "bad-free")                                                                   \
  CHECK(SignedOverflow, "signed-integer-overflow")                                                 \
  CHECK(Shift, "shift-exponent")                                                                   \
  CHECK(DivisionByZero, "integer-divide-by-zero")                                                  \
  CHECK(IndexRead, "array-index-out-of-bounds")                                                    \
  CHECK(IndexWrite, "array-index-out-of-bounds")

#define FATHOM_CHECK_MEMBER(name, text) FATHOM_CHECK_##name,
enum fathom_check {
  FATHOM_CHECK_NONE, /* a signal */
  FATHOM_CHECKS(FATHOM_CHECK_MEMBER)
};

struct fathom_crash {
  unsigned long magic;
  unsigned long signal, code; /* as in siginfo */
  unsigned long address;      /* of the access, where there was one */
  unsigned long stackPointer;
  unsigned long isWrite;
  unsigned long check;      /* enum fathom_check */
  unsigned long bytes;      /* of the access that was checked; 0: a free */
  long offset;              /* of the access in its block */
  unsigned long blockBytes; /* of the block; valid when hasBlock */
  unsigned long hasBlock;
  unsigned long allocated[FATHOM_CRASH_SITES]; /* calls, innermost first, 0 behind the last */
  unsigned long freed[FATHOM_CRASH_SITES];
  unsigned long count;                     /* of calls */
  unsigned long calls[FATHOM_CRASH_CALLS]; /* first where it crashed, then where calls return to */
};

/* crash.c */
void __fathom_catchCrashes(const char *file);
/* Adds the calls from this frame pointer on, and leaves the report where one was asked for. */
void __fathom_leaveCrash(struct fathom_crash *crash, unsigned long frame);
/* For a check that failed: says it on standard error, leaves the report, and ends the process by
 * SIGABRT. `call`: the return address of the check. */
_Noreturn void __fathom_checkFailed(struct fathom_crash *crash, unsigned long call,
                                    unsigned long frame);

#endif
