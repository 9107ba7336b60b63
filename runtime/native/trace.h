/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file in which a native trace variant leaves what it did: mapped shared, so that it survives a
 * crash or _exit. Written by trace.c inside the program, read by lib/report/TraceFile.h. Plain C,
 * included by both.
 *
 *   header | one byte per branch side | one byte per source line
 */
#ifndef FATHOM_NATIVE_TRACE_H
#define FATHOM_NATIVE_TRACE_H

#define FATHOM_TRACE_MAGIC 0x3565636172746846ul /* "Fhtrace5" */
#define FATHOM_TRACE_CHECKPOINTS 64
#define FATHOM_TRACE_FAILURES 1024
#define FATHOM_TRACE_SOCKET 112 /* more than a socket's name can have */

struct fathom_trace {
  unsigned long magic;
  unsigned long count;        /* branches of the program's own code taken so far */
  unsigned long hash;         /* explore::traceStep over them */
  unsigned long wanted;       /* set by the reader: at this count, ... */
  unsigned long hashAtWanted; /* ... the hash is left here */
  unsigned long started;      /* 1 once the program runs */
  unsigned long memory;       /* set by the reader: bytes of pages that the heap may have; 0: any */
  unsigned long mostHeap;     /* ... and bytes of blocks, as the engine counts them; 0: any */
  unsigned long coverBytes;   /* sides and lines together */
  unsigned long line;         /* of the program's own code, that runs: its number from 1; 0: none */
  unsigned long checkpoints[FATHOM_TRACE_CHECKPOINTS]; /* [i]: the hash at count 2^i */
  /* Set by the reader: the socket at which functions that the program has no code of are executed
   * (external.h); empty: nowhere. */
  char calls[FATHOM_TRACE_SOCKET];
  /* Set by the reader: the numbers of the allocations that are to fail, ascending (allocation.h).
   */
  unsigned long failures;
  unsigned failing[FATHOM_TRACE_FAILURES];
  unsigned char cover[];
};

#endif
