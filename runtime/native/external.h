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
 * Rows (FATHOM_EXTERNAL_LOAD, FATHOM_EXTERNAL_RUN): a search evaluates constraints on one input
 * after the other, with functions among them. So that nothing has to go back and forth for each,
 * rows of bytes lie in memory that both sides map (FATHOM_EXTERNAL_SHARED, struct fathom_rows),
 * with the constraints as machine code, and a request is one for all rows. `row` says how far it
 * is, should a function bring the process down.
 *
 * Memory is where the caller says it is (address not 0), so that pointers in it, and pointers that
 * come back, mean the same on both sides; or anywhere (address 0).
 *
 * A program that runs natively calls functions that it has no code of in the same way (stubs.c),
 * over a connection for each call to a process that waits for them: FATHOM_EXTERNAL_HELLO, one
 * request with FATHOM_EXTERNAL_CALLER and without memory, one reply. Its memory is read and written
 * where it is. All calls of one process are executed by the same one.
 */
#ifndef FATHOM_RUNTIME_NATIVE_EXTERNAL_H
#define FATHOM_RUNTIME_NATIVE_EXTERNAL_H

enum {
  FATHOM_EXTERNAL_SOCKET = 3, /* the executing side's descriptor */
  FATHOM_EXTERNAL_SHARED = 4, /* the memory of rows */
  FATHOM_EXTERNAL_HELLO = 0x46544834,
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
  FATHOM_EXTERNAL_UNREACHABLE,   /* FATHOM_EXTERNAL_CALLER: its memory; detail: errno, 0: taken */
};

/* fathom_request::flags */
enum {
  /* In a child of the process as it was at its start: nothing that was called before is seen, and
   * nothing of this call will be. */
  FATHOM_EXTERNAL_APART = 1,
  FATHOM_EXTERNAL_MANY = 2,
  FATHOM_EXTERNAL_LOAD = 4, /* what the shared memory says is new; no name, no arguments */
  FATHOM_EXTERNAL_RUN = 8,  /* `calls` rows; after a LOAD that was answered with DONE */
  /* With APART: the next request is a call in the same child, and there is a reply to the last one
   * only. If the reply is not DONE, unread requests may be left. */
  FATHOM_EXTERNAL_MORE = 16,
  FATHOM_EXTERNAL_CALLER = 32, /* pointers are into the memory of the process on the other side */
};

struct fathom_request {
  unsigned nameBytes, arguments, result, flags;
  unsigned milliseconds; /* FATHOM_EXTERNAL_APART: how long it may take */
  unsigned calls;        /* FATHOM_EXTERNAL_MANY, FATHOM_EXTERNAL_RUN */
  /* The piece of memory, from 1 on, that is the caller's errno: errno begins with what is there,
   * and what it is afterwards is left there. 0: none is. */
  unsigned errnoMemory;
  unsigned errnoValue;  /* FATHOM_EXTERNAL_CALLER: errno; what it is afterwards is in `detail` */
  unsigned long number; /* of the request: replies repeat it */
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
  unsigned long number;  /* of the request: a function may write to the socket as well */
};

/* What lies at the beginning of the shared memory. Places are from there; numbers of 64 bits lie at
 * multiples of 8. */
struct fathom_rows {
  unsigned long bytes;           /* of all of it */
  unsigned long codeAt, codeEnd; /* whole pages, to be executed */
  unsigned long distancesCode;   /* where the code of the distances begins */
  unsigned long rowsAt, rowBytes;
  unsigned long distancesAt, distances; /* for each row so many words */
  unsigned long scratchAt; /* for the words that an operation's code computes, and its input */
  unsigned long operationsAt, operations; /* struct fathom_row_operation, in the order to execute */
  volatile unsigned long row;             /* evaluated so far, in this request */
  volatile unsigned long calls; /* of functions that returned, ever: does it still get on? */
};

/* An operation that every row executes: what its input is, and where its output goes. Places of the
 * input: registers' words, blocks' addresses, blocks' bytes, as in FATHOM_EXTERNAL_MANY. Output: a
 * status, the block that a returned pointer points into (+ 1), a word, the bytes of all blocks that
 * are written (explore/external/ExternalServer.h). */
struct fathom_row_operation {
  unsigned long nameAt;
  unsigned long arguments, typesAt;    /* unsigned each */
  unsigned long blocks, blocksAt;      /* struct fathom_row_block */
  unsigned long inputAt, inputBytes;   /* with the bytes that are the same in all rows */
  unsigned long copied, copiedAt;      /* pairs of unsigned: place in the input, place in the row */
  unsigned long computed, computedAt;  /* unsigned: places in the input of what the code computes */
  unsigned long code;                  /* where that begins */
  unsigned long resultAt, outputBytes; /* in the row */
  unsigned result, returnsPointer;
  unsigned errnoBlock, unused; /* as fathom_request's errnoMemory */
  unsigned long strings;       /* bit i: argument i is read as a string, and so crashes elsewhere */
  void *function;              /* the executing side's */
};
struct fathom_row_block {
  unsigned long address, bytes, written;
};
/* Of the status in an output. */
enum {
  FATHOM_ROW_RETURNED = 0,
  FATHOM_ROW_CRASHED = 1,
  FATHOM_ROW_WROTE_OUTSIDE = 4,
  FATHOM_ROW_FOREIGN_POINTER = 5
};

#ifdef __cplusplus
extern "C" {
#endif
/* Answers requests until the other side closes the socket or a function brings the process
 * down. find: the function of this name, or null. */
void fathom_external_serve(void *(*find)(const char *name));

/* The same in parts, for a process that answers one call and ends. */

/* Reads a request with FATHOM_EXTERNAL_CALLER. The function's name; null: it is something else. */
const char *fathom_external_receive(void);
/* The i-th word that it passes in an integer register or on the stack; 0: there is no such one. */
int fathom_external_word(unsigned i, unsigned long *word);
/* Fills in the reply of a call that returns, but for its status. */
void fathom_external_invoke(void *function, struct fathom_reply *reply);
void fathom_external_reply(const struct fathom_reply *reply);
#ifdef __cplusplus
}
#endif

#endif
