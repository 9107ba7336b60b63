/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What native/ExternalRunner.h and a process that executes functions for it say to each other over
 * a socket: one request, one reply. Both are of the same build on the same machine, so that numbers
 * are as they lie in memory.
 *
 *   request  fathom_request, name, then per argument: fathom_argument, and its memory's bytes
 *   reply    fathom_reply, then the bytes of all memory, in the same order
 *
 * Many calls of one function (FATHOM_EXTERNAL_MANY): the arguments are without memory, and then
 * there are `calls` inputs, each the registers' words, the blocks' addresses, and the blocks'
 * bytes. The replies come together, in order, each with the bytes of all blocks. If the process
 * goes down, those that did not come have to be asked again.
 *
 * Memory is where the caller says it is (address not 0), so that pointers in it, and pointers that
 * come back, mean the same on both sides; or anywhere (address 0).
 */
#ifndef FATHOM_RUNTIME_NATIVE_EXTERNAL_H
#define FATHOM_RUNTIME_NATIVE_EXTERNAL_H

enum {
  FATHOM_EXTERNAL_SOCKET = 3, /* the executing side's descriptor */
  FATHOM_EXTERNAL_HELLO = 0x46544832,
  FATHOM_EXTERNAL_MAX_ARGUMENTS = 256,
  FATHOM_EXTERNAL_MAX_NAME = 4096,
  FATHOM_EXTERNAL_MAX_BYTES = 1 << 28,  /* of one piece of memory */
  FATHOM_EXTERNAL_MANY_BYTES = 1 << 16, /* of the inputs of many calls, and of their replies */
};

enum fathom_external_type {
  FATHOM_EXTERNAL_VOID,
  FATHOM_EXTERNAL_INTEGER, /* and pointers */
  FATHOM_EXTERNAL_DOUBLE,
  FATHOM_EXTERNAL_FLOAT,
  FATHOM_EXTERNAL_BUFFER, /* memory; the function gets a pointer to it */
  FATHOM_EXTERNAL_BLOCK,  /* memory that is only there */
};

enum fathom_external_status {
  FATHOM_EXTERNAL_DONE,
  FATHOM_EXTERNAL_NOT_FOUND,
  FATHOM_EXTERNAL_BAD_REQUEST,
  FATHOM_EXTERNAL_WROTE_OUTSIDE, /* beside the memory that it was given */
  FATHOM_EXTERNAL_CRASHED,       /* FATHOM_EXTERNAL_APART; detail: the signal */
  FATHOM_EXTERNAL_EXITED,        /* FATHOM_EXTERNAL_APART; detail: the exit status */
  FATHOM_EXTERNAL_TIMED_OUT,     /* FATHOM_EXTERNAL_APART */
};

/* fathom_request::flags */
enum {
  /* In a child of the process as it was at its start: nothing that was called before is seen, and
   * nothing of this call will be. */
  FATHOM_EXTERNAL_APART = 1,
  FATHOM_EXTERNAL_MANY = 2,
};

struct fathom_request {
  unsigned nameBytes, arguments, result, flags;
  unsigned milliseconds; /* FATHOM_EXTERNAL_APART: how long it may take */
  unsigned calls;        /* FATHOM_EXTERNAL_MANY */
};
struct fathom_argument {
  unsigned type, unused;
  unsigned long bits;    /* integers and floats: as in a register */
  unsigned long address; /* of memory; 0: anywhere */
  unsigned long bytes;   /* of memory */
};
struct fathom_reply {
  unsigned status, detail;
  unsigned long integer; /* rax */
  unsigned long real;    /* xmm0, its low half */
};

#ifdef __cplusplus
extern "C"
#endif
    /* Answers requests until the other side closes the socket or a function brings the process
     * down. find: the function of this name, or null. */
    void
    fathom_external_serve(void *(*find)(const char *name));

#endif
