/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What crash.c writes and lib/campaign/CrashStack.h reads. Plain C, included by both.
 */
#ifndef FATHOM_NATIVE_CRASH_H
#define FATHOM_NATIVE_CRASH_H

#define FATHOM_CRASH_MAGIC 0x3168737243746146ul /* "FatCrsh1" */
#define FATHOM_CRASH_CALLS 256

struct fathom_crash {
  unsigned long magic;
  unsigned long signal, code; /* as in siginfo */
  unsigned long address;      /* of the access, where there was one */
  unsigned long stackPointer;
  unsigned long isWrite;
  unsigned long count;                     /* of calls */
  unsigned long calls[FATHOM_CRASH_CALLS]; /* first where it crashed, then where calls return to */
};

#endif
