/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Executes functions for native/ExternalRunner.h, one after the other: the part that does not
 * depend on where they come from. Small on purpose, so that nothing a function does gets in its
 * way. It is part of tools/fathom-native-helper (functions of the host's libraries) and of the
 * native variant of a program that executes the program's own functions (functions.c).
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include "external.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls function with the registers and stack words given (System V x86-64); al says that vector
 * registers are in use, for variadic functions. Leaves rax and xmm0. */
void fathomInvoke(void *function, const unsigned long integers[6], const unsigned long reals[8],
                  const unsigned long *stack, unsigned long stackWords, unsigned long *rax,
                  unsigned long *xmm0);
__asm__(".text\n"
        ".type fathomInvoke,@function\n"
        "fathomInvoke:\n"
        "  push %rbp\n"
        "  mov %rsp, %rbp\n"
        "  push %rbx\n"
        "  push %r12\n"
        "  push %r13\n"
        "  push %r14\n"
        "  mov %rdi, %rbx\n"
        "  mov %rsi, %r12\n"
        "  mov %r9, %r13\n"
        "  lea 15(,%r8,8), %rax\n"
        "  and $-16, %rax\n"
        "  sub %rax, %rsp\n"
        "  xor %eax, %eax\n"
        "1:\n"
        "  cmp %r8, %rax\n"
        "  jae 2f\n"
        "  mov (%rcx,%rax,8), %r10\n"
        "  mov %r10, (%rsp,%rax,8)\n"
        "  inc %rax\n"
        "  jmp 1b\n"
        "2:\n"
        "  movq 0(%rdx), %xmm0\n"
        "  movq 8(%rdx), %xmm1\n"
        "  movq 16(%rdx), %xmm2\n"
        "  movq 24(%rdx), %xmm3\n"
        "  movq 32(%rdx), %xmm4\n"
        "  movq 40(%rdx), %xmm5\n"
        "  movq 48(%rdx), %xmm6\n"
        "  movq 56(%rdx), %xmm7\n"
        "  mov 0(%r12), %rdi\n"
        "  mov 8(%r12), %rsi\n"
        "  mov 16(%r12), %rdx\n"
        "  mov 24(%r12), %rcx\n"
        "  mov 32(%r12), %r8\n"
        "  mov 40(%r12), %r9\n"
        "  mov $8, %eax\n"
        "  call *%rbx\n"
        "  mov %rax, (%r13)\n"
        "  mov 16(%rbp), %r10\n"
        "  movq %xmm0, (%r10)\n"
        "  lea -32(%rbp), %rsp\n"
        "  pop %r14\n"
        "  pop %r13\n"
        "  pop %r12\n"
        "  pop %rbx\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size fathomInvoke, .-fathomInvoke\n");

enum { kPage = 4096 };
/* What surrounds memory in its pages; changed: the function wrote there. */
enum { kCanary = 0xa5 };

typedef unsigned char byte;

struct memory {
  unsigned long address; /* 0: from the heap */
  byte *data;
  unsigned long bytes;
};

struct call {
  struct fathom_request request;
  char name[FATHOM_EXTERNAL_MAX_NAME + 1];
  unsigned long integers[6], reals[8];
  unsigned long stack[FATHOM_EXTERNAL_MAX_ARGUMENTS];
  unsigned long stackWords;
  struct memory memory[FATHOM_EXTERNAL_MAX_ARGUMENTS];
  unsigned memories;
};
/* Not on the heap, which belongs to the functions. */
static struct call call;

/* errnoAt: the caller's errno; null: none. */
static void invoke(void *function, int *errnoAt, unsigned long *integer, unsigned long *real) {
  if (errnoAt) errno = *errnoAt;
  fathomInvoke(function, call.integers, call.reals, call.stack, call.stackWords, integer, real);
  if (errnoAt) *errnoAt = errno;
}

static int *errnoMemory(void) {
  const unsigned which = call.request.errnoMemory;
  return which && which <= call.memories ? (int *)call.memory[which - 1].data : 0;
}

/* Pages that are mapped for memory with an address: of the last call, until the next. */
struct range {
  unsigned long from, to;
};
static struct range mapped[FATHOM_EXTERNAL_MAX_ARGUMENTS];
static unsigned ranges;

static void receive(void *data, unsigned long size) {
  char *at = data;
  while (size) {
    ssize_t n = read(FATHOM_EXTERNAL_SOCKET, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0); /* the other side is gone, or done */
    at += n;
    size -= (unsigned long)n;
  }
}

/* 0: the other side is gone, or a function has closed the socket. */
static int trySend(const void *data, unsigned long size) {
  const char *at = data;
  while (size) {
    ssize_t n = write(FATHOM_EXTERNAL_SOCKET, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    at += n;
    size -= (unsigned long)n;
  }
  return 1;
}

static void transmit(const void *data, unsigned long size) {
  if (!trySend(data, size)) _exit(0);
}

static void transmitReply(struct fathom_reply *reply) {
  reply->number = call.request.number;
  transmit(reply, sizeof *reply);
}

/* ---- memory at given addresses ---- */

static struct range pagesOf(const struct memory *m) {
  struct range r = {m->address & ~(unsigned long)(kPage - 1),
                    (m->address + m->bytes + kPage - 1) & ~(unsigned long)(kPage - 1)};
  if (r.to == r.from) r.to += kPage; /* of no bytes: still an address */
  return r;
}

static void unmapAll(void) {
  while (ranges) {
    ranges--;
    munmap((void *)mapped[ranges].from, mapped[ranges].to - mapped[ranges].from);
  }
}

static int isMapped(unsigned long page) {
  for (unsigned i = 0; i < ranges; i++)
    if (page >= mapped[i].from && page < mapped[i].to) return 1;
  return 0;
}

/* Maps what is not there yet. 0: something else is at that address. */
static int mapPages(struct range r) {
  for (unsigned long page = r.from; page < r.to; page += kPage) {
    if (isMapped(page)) continue;
    unsigned long end = page + kPage;
    while (end < r.to && !isMapped(end)) end += kPage;
    if (ranges == FATHOM_EXTERNAL_MAX_ARGUMENTS) return 0;
    void *at = mmap((void *)page, end - page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (void *)page) {
      if (at != MAP_FAILED) munmap(at, end - page);
      return 0;
    }
    mapped[ranges++] = (struct range){page, end};
    memset(at, kCanary, end - page);
  }
  return 1;
}

/* Is what no piece of memory has still as it was? From one piece to the next. */
static int canariesLive(void) {
  for (unsigned i = 0; i < ranges; i++) {
    unsigned long at = mapped[i].from;
    while (at < mapped[i].to) {
      unsigned long end = mapped[i].to, owned = 0;
      for (unsigned m = 0; m < call.memories; m++) {
        const struct memory *memory = &call.memory[m];
        if (!memory->address) continue;
        if (at >= memory->address && at < memory->address + memory->bytes)
          owned = memory->address + memory->bytes;
        else if (memory->address > at && memory->address < end)
          end = memory->address;
      }
      if (owned) {
        at = owned;
        continue;
      }
      const unsigned long word = kCanary * 0x0101010101010101ul;
      for (; at % 8 && at < end; at++)
        if (*(byte *)at != kCanary) return 0;
      for (; at + 8 <= end; at += 8)
        if (*(unsigned long *)at != word) return 0;
      for (; at < end; at++)
        if (*(byte *)at != kCanary) return 0;
    }
  }
  return 1;
}

/* ---- a call ---- */

static int rowsAreMapped; /* and what is mapped is theirs */
static int readMany(void);

static int readRequest(void) {
  receive(&call.request, sizeof call.request);
  if (call.request.nameBytes > FATHOM_EXTERNAL_MAX_NAME ||
      call.request.arguments > FATHOM_EXTERNAL_MAX_ARGUMENTS)
    _exit(2); /* what follows cannot be understood either */
  receive(call.name, call.request.nameBytes);
  call.name[call.request.nameBytes] = 0;
  if (call.request.flags & (FATHOM_EXTERNAL_LOAD | FATHOM_EXTERNAL_RUN)) return 1;
  unmapAll();
  rowsAreMapped = 0;
  memset(call.integers, 0, sizeof call.integers);
  memset(call.reals, 0, sizeof call.reals);
  call.stackWords = 0;
  call.memories = 0;
  if (call.request.flags & FATHOM_EXTERNAL_MANY) return readMany();
  unsigned integerCount = 0, realCount = 0;
  int fine = 1;
  for (unsigned i = 0; i < call.request.arguments; i++) {
    struct fathom_argument argument;
    receive(&argument, sizeof argument);
    if (argument.type == FATHOM_EXTERNAL_DOUBLE || argument.type == FATHOM_EXTERNAL_FLOAT) {
      if (realCount < 8)
        call.reals[realCount++] = argument.bits;
      else
        call.stack[call.stackWords++] = argument.bits;
      continue;
    }
    unsigned long word = argument.bits;
    if (argument.type >= FATHOM_EXTERNAL_BUFFER) {
      if (argument.bytes > FATHOM_EXTERNAL_MAX_BYTES) _exit(2);
      struct memory *m = &call.memory[call.memories++];
      *m = (struct memory){argument.address, (byte *)argument.address, argument.bytes};
      if (!m->address)
        m->data = malloc(m->bytes + 1);
      else if (!mapPages(pagesOf(m)))
        m->address = 0, m->data = malloc(m->bytes + 1), fine = 0;
      if (!m->data) _exit(2);
      receive(m->data, m->bytes);
      word = (unsigned long)m->data;
    }
    if (argument.type == FATHOM_EXTERNAL_BLOCK) continue;
    if (integerCount < 6)
      call.integers[integerCount++] = word;
    else
      call.stack[call.stackWords++] = word;
  }
  return fine;
}

static void execute(void *function) {
  struct fathom_reply reply = {0};
  invoke(function, errnoMemory(), &reply.integer, &reply.real);
  reply.status = canariesLive() ? FATHOM_EXTERNAL_DONE : FATHOM_EXTERNAL_WROTE_OUTSIDE;
  transmitReply(&reply);
  if (reply.status == FATHOM_EXTERNAL_DONE)
    for (unsigned i = 0; i < call.memories; i++)
      transmit(call.memory[i].data, call.memory[i].bytes);
}

/* ---- many calls ---- */

static struct fathom_argument arguments[FATHOM_EXTERNAL_MAX_ARGUMENTS];
static byte inputs[FATHOM_EXTERNAL_MANY_BYTES], replies[FATHOM_EXTERNAL_MANY_BYTES];
static unsigned long inputBytes, blockBytes;

static int readMany(void) {
  inputBytes = blockBytes = 0;
  for (unsigned i = 0; i < call.request.arguments; i++) {
    receive(&arguments[i], sizeof arguments[i]);
    inputBytes += 8;
    if (arguments[i].type != FATHOM_EXTERNAL_BLOCK) continue;
    if (arguments[i].bytes > FATHOM_EXTERNAL_MANY_BYTES) _exit(2);
    inputBytes += arguments[i].bytes;
    blockBytes += arguments[i].bytes;
  }
  const unsigned long reply = sizeof(struct fathom_reply) + blockBytes;
  if (call.request.calls > sizeof inputs / (inputBytes ? inputBytes : 1) ||
      call.request.calls > sizeof replies / reply)
    _exit(2);
  receive(inputs, call.request.calls * inputBytes);
  return 1;
}

/* Registers and memory of one call. 0: there is something else at a block's address. */
static int setUp(const byte *in) {
  unsigned integerCount = 0, realCount = 0, blocks = 0, moved = call.memories == 0;
  call.stackWords = 0;
  for (unsigned i = 0; i < call.request.arguments; i++, in += 8) {
    unsigned long word;
    memcpy(&word, in, 8);
    if (arguments[i].type == FATHOM_EXTERNAL_BLOCK) {
      struct memory *m = &call.memory[blocks++];
      moved |= m->address != word || m->bytes != arguments[i].bytes;
      *m = (struct memory){word, (byte *)word, arguments[i].bytes};
    } else if (arguments[i].type == FATHOM_EXTERNAL_INTEGER) {
      if (integerCount < 6)
        call.integers[integerCount++] = word;
      else
        call.stack[call.stackWords++] = word;
    } else if (realCount < 8) {
      call.reals[realCount++] = word;
    } else {
      call.stack[call.stackWords++] = word;
    }
  }
  call.memories = blocks;
  if (moved) {
    unmapAll();
    for (unsigned m = 0; m < blocks; m++)
      if (!call.memory[m].address || !mapPages(pagesOf(&call.memory[m]))) return 0;
  }
  for (unsigned m = 0; m < blocks; in += call.memory[m++].bytes)
    memcpy(call.memory[m].data, in, call.memory[m].bytes);
  return 1;
}

static void executeMany(void *function) {
  byte *out = replies;
  for (unsigned i = 0; i < call.request.calls; i++) {
    struct fathom_reply reply = {function ? FATHOM_EXTERNAL_BAD_REQUEST : FATHOM_EXTERNAL_NOT_FOUND,
                                 0, 0, 0, call.request.number};
    byte *memory = out + sizeof reply;
    if (function && setUp(inputs + i * inputBytes)) {
      invoke(function, errnoMemory(), &reply.integer, &reply.real);
      const int live = canariesLive();
      reply.status = live ? FATHOM_EXTERNAL_DONE : FATHOM_EXTERNAL_WROTE_OUTSIDE;
      for (unsigned m = 0; m < call.memories; memory += call.memory[m++].bytes)
        memcpy(memory, call.memory[m].data, call.memory[m].bytes);
      if (!live) unmapAll(), call.memories = 0;
    } else {
      unmapAll();
      call.memories = 0;
    }
    memcpy(out, &reply, sizeof reply);
    out += sizeof reply + blockBytes;
  }
  transmit(replies, (unsigned long)(out - replies));
  unmapAll();
  call.memories = 0;
}

/* ---- rows ---- */

static byte *shared;
static unsigned long sharedBytes;

/* Few bytes at a time, and millions of times: a libc's functions are for more, and that of a
 * variant is not optimised. The empty instruction keeps the compiler from calling them. */
static void copyBytes(byte *to, const byte *from, unsigned long n) {
  for (; n >= 8; n -= 8, to += 8, from += 8) {
    __builtin_memcpy(to, from, 8);
    __asm__("" : "+r"(to));
  }
  for (; n; n--) {
    *to++ = *from++;
    __asm__("" : "+r"(to));
  }
}
static void fillBytes(byte *to, byte value, unsigned long n) {
  const unsigned long word = value * 0x0101010101010101ul;
  for (; n >= 8; n -= 8, to += 8) {
    __builtin_memcpy(to, &word, 8);
    __asm__("" : "+r"(to));
  }
  for (; n; n--) {
    *to++ = value;
    __asm__("" : "+r"(to));
  }
}
typedef void (*terms)(const byte *row, unsigned long *values, const void *calls);

/* The memory of all operations at once, which is left alone from then on. 0: it cannot be had. */
static int mapRows(const struct fathom_rows *rows) {
  const struct fathom_row_operation *operation = (void *)(shared + rows->operationsAt);
  unmapAll();
  for (unsigned long o = 0; o < rows->operations; o++) {
    const struct fathom_row_block *block = (void *)(shared + operation[o].blocksAt);
    for (unsigned long b = 0; b < operation[o].blocks; b++) {
      const struct memory m = {block[b].address, 0, block[b].bytes};
      if (!m.address || !mapPages(pagesOf(&m))) return 0;
    }
  }
  rowsAreMapped = 1;
  return 1;
}

static unsigned loadRows(void *(*find)(const char *name)) {
  if (shared) munmap(shared, sharedBytes);
  shared = 0;
  rowsAreMapped = 0;
  unsigned long head[sizeof(struct fathom_rows) / sizeof(long)];
  if (pread(FATHOM_EXTERNAL_SHARED, head, sizeof head, 0) != sizeof head)
    return FATHOM_EXTERNAL_BAD_REQUEST;
  sharedBytes = ((struct fathom_rows *)head)->bytes;
  void *at = mmap(0, sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, FATHOM_EXTERNAL_SHARED, 0);
  if (at == MAP_FAILED) return FATHOM_EXTERNAL_BAD_REQUEST;
  shared = at;
  const struct fathom_rows *rows = at;
  if (mprotect(shared + rows->codeAt, rows->codeEnd - rows->codeAt, PROT_READ | PROT_EXEC) < 0)
    return FATHOM_EXTERNAL_BAD_REQUEST;
  struct fathom_row_operation *operation = (void *)(shared + rows->operationsAt);
  for (unsigned long o = 0; o < rows->operations; o++) {
    operation[o].function = find((const char *)shared + operation[o].nameAt);
    if (!operation[o].function) return FATHOM_EXTERNAL_NOT_FOUND;
  }
  return mapRows(rows) ? FATHOM_EXTERNAL_DONE : FATHOM_EXTERNAL_BAD_REQUEST;
}

/* Most of what is written beside memory begins right behind it: objects are at least so far from
 * each other. What is missed here is seen at the end of all rows. */
enum { kBehind = 16 };

/* A function that crashes is left where it is: a search goes on at once, in a process that may have
 * suffered, and what it finds is executed once more elsewhere. */
static void *beforeCrash[5]; /* of __builtin_setjmp */
static int inRow;
enum { kCrashes = 4 };
static const int crashes[kCrashes] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static void onCrash(int signal_) {
  if (inRow) {
    inRow = 0;
    __builtin_longjmp(beforeCrash, 1);
  }
  signal(signal_, SIG_DFL); /* and it comes again */
}

static void watchCrashes(int watch) {
  static byte stack[1 << 16];
  const stack_t other = {stack, watch ? 0 : SS_DISABLE, sizeof stack};
  sigaltstack(&other, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = watch ? onCrash : SIG_DFL;
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  for (int i = 0; i < kCrashes; i++) sigaction(crashes[i], &action, 0);
}

/* 0: it crashed. */
__attribute__((noinline)) static int invokeInRow(void *function, int *errnoAt,
                                                 unsigned long *integer, unsigned long *real) {
  if (__builtin_setjmp(beforeCrash)) return 0;
  inRow = 1;
  invoke(function, errnoAt, integer, real);
  inRow = 0;
  return 1;
}

static int isLiveBehind(const struct fathom_row_block *block) {
  const unsigned long end = block->address + block->bytes;
  unsigned long words[kBehind / 8];
  if ((end & (kPage - 1)) == 0 || (end & (kPage - 1)) > kPage - kBehind) return 1;
  __builtin_memcpy(words, (const void *)end, kBehind);
  const unsigned long word = kCanary * 0x0101010101010101ul;
  return words[0] == word && words[1] == word;
}

/* Is an argument that is read as a string none of the operation's memory? */
static int pointsElsewhere(const struct fathom_row_operation *o, const unsigned long *arguments,
                           const struct fathom_row_block *block) {
  for (unsigned long i = 0; o->strings >> i; i++) {
    if (!(o->strings >> i & 1)) continue;
    unsigned long b = 0, word;
    __builtin_memcpy(&word, &arguments[i], 8);
    while (b < o->blocks && word - block[b].address >= block[b].bytes) b++;
    if (b == o->blocks) return 1;
  }
  return 0;
}

static void executeRow(const struct fathom_rows *rows, const struct fathom_row_operation *o,
                       byte *row) {
  unsigned long *values = (unsigned long *)(shared + rows->scratchAt);
  byte *in = (byte *)values;
  if (o->computed) {
    ((terms)(shared + o->code))(row, values, 0);
    in += 8 * o->computed;
  }
  copyBytes(in, shared + o->inputAt, o->inputBytes);
  const unsigned *copied = (unsigned *)(shared + o->copiedAt);
  for (unsigned long i = 0; i < o->copied; i++) in[copied[2 * i]] = row[copied[2 * i + 1]];
  const unsigned *computed = (unsigned *)(shared + o->computedAt);
  for (unsigned long i = 0; i < o->computed; i++) in[computed[i]] = (byte)values[i];

  const unsigned *types = (unsigned *)(shared + o->typesAt);
  unsigned integerCount = 0, realCount = 0;
  call.stackWords = 0;
  for (unsigned long i = 0; i < o->arguments; i++) {
    unsigned long word;
    __builtin_memcpy(&word, in + 8 * i, 8);
    if (types[i] == FATHOM_EXTERNAL_INTEGER && integerCount < 6)
      call.integers[integerCount++] = word;
    else if (types[i] != FATHOM_EXTERNAL_INTEGER && realCount < 8)
      call.reals[realCount++] = word;
    else
      call.stack[call.stackWords++] = word;
  }
  const struct fathom_row_block *block = (void *)(shared + o->blocksAt);
  const byte *contents = in + 8 * (o->arguments + o->blocks);
  for (unsigned long b = 0; b < o->blocks; contents += block[b++].bytes)
    copyBytes((void *)block[b].address, contents, block[b].bytes);
  unsigned long integer = 0, real = 0;
  int *errnoAt = o->errnoBlock ? (int *)block[o->errnoBlock - 1].address : 0;
  /* A signal takes longer than most functions. */
  const int crashed = pointsElsewhere(o, (const unsigned long *)in, block) ||
                      !invokeInRow(o->function, errnoAt, &integer, &real);

  byte *out = row + o->resultAt;
  fillBytes(out, 0, o->outputBytes);
  unsigned long value = o->result == FATHOM_EXTERNAL_INTEGER ? integer
                        : o->result == FATHOM_EXTERNAL_VOID  ? 0
                        : o->result == FATHOM_EXTERNAL_FLOAT ? real & 0xffffffff
                                                             : real;
  if (o->returnsPointer && value) {
    unsigned long b = 0;
    while (b < o->blocks && value - block[b].address > block[b].bytes) b++;
    if (b < o->blocks)
      value -= block[b].address, out[1] = (byte)(b + 1);
    else
      out[0] = FATHOM_ROW_FOREIGN_POINTER;
  }
  int live = 1;
  for (unsigned long b = 0; b < o->blocks; b++) live &= isLiveBehind(&block[b]);
  if (!live) out[0] = FATHOM_ROW_WROTE_OUTSIDE, out[1] = 0;
  if (crashed) out[0] = FATHOM_ROW_CRASHED, out[1] = 0;
  const int returned = out[0] == FATHOM_ROW_RETURNED;
  if (returned) __builtin_memcpy(out + 2, &value, 8);
  out += 10;
  /* What is between calls is what surrounds memory, everywhere: one look at the end shows what was
   * written elsewhere. */
  for (unsigned long b = 0; b < o->blocks; b++) {
    if (!block[b].written || !returned) continue;
    copyBytes(out, (void *)block[b].address, block[b].bytes);
    out += block[b].bytes;
  }
  for (unsigned long b = 0; b < o->blocks; b++)
    fillBytes((void *)block[b].address, kCanary, block[b].bytes);
  for (unsigned i = 0; (!live || crashed) && i < ranges; i++)
    fillBytes((byte *)mapped[i].from, kCanary, mapped[i].to - mapped[i].from);
}

static unsigned runRows(unsigned count) {
  struct fathom_rows *rows = (void *)shared;
  if (!shared || (!rowsAreMapped && !mapRows(rows))) return FATHOM_EXTERNAL_BAD_REQUEST;
  const struct fathom_row_operation *operation = (void *)(shared + rows->operationsAt);
  byte *row = shared + rows->rowsAt;
  memset(call.integers, 0, sizeof call.integers);
  memset(call.reals, 0, sizeof call.reals);
  unsigned long *distances = (unsigned long *)(shared + rows->distancesAt);
  watchCrashes(1);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned long o = 0; o < rows->operations; o++, rows->calls++)
      executeRow(rows, &operation[o], row);
    ((terms)(shared + rows->distancesCode))(row, distances, 0);
    row += rows->rowBytes;
    distances += rows->distances;
    rows->row = i + 1;
  }
  watchCrashes(0);
  call.memories = 0;
  if (canariesLive()) return FATHOM_EXTERNAL_DONE;
  rowsAreMapped = 0; /* made anew, with what surrounds memory as it should be */
  return FATHOM_EXTERNAL_WROTE_OUTSIDE;
}

/* In a child, of whose end this process tells if the child could not: one call, or several that
 * see what the ones before them have left. */
static void executeApart(void *function, void *(*find)(const char *name), volatile int *answered) {
  struct fathom_reply reply = {0};
  *answered = 0;
  pid_t child = fork();
  if (child == 0) {
    struct itimerval timer = {
        {0, 0},
        {call.request.milliseconds / 1000, (long)(call.request.milliseconds % 1000) * 1000 + 1}};
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &timer, 0);
    for (;;) {
      invoke(function, errnoMemory(), &reply.integer, &reply.real);
      reply.status = canariesLive() ? FATHOM_EXTERNAL_DONE : FATHOM_EXTERNAL_WROTE_OUTSIDE;
      if (reply.status != FATHOM_EXTERNAL_DONE || !(call.request.flags & FATHOM_EXTERNAL_MORE))
        break;
      const int fine = readRequest();
      function = fine ? find(call.name) : 0;
      if (function) continue;
      reply.status = fine ? FATHOM_EXTERNAL_NOT_FOUND : FATHOM_EXTERNAL_BAD_REQUEST;
      break;
    }
    timer.it_value.tv_sec = timer.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &timer, 0);
    reply.number = call.request.number;
    *answered = 1;
    if (!trySend(&reply, sizeof reply)) {
      *answered = 0; /* it has closed the socket, which is still open in the parent */
      _exit(0);
    }
    if (reply.status == FATHOM_EXTERNAL_DONE)
      for (unsigned i = 0; i < call.memories; i++)
        transmit(call.memory[i].data, call.memory[i].bytes);
    _exit(0);
  }
  int status = 0;
  if (child < 0) {
    reply.status = FATHOM_EXTERNAL_BAD_REQUEST;
  } else {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (*answered) return;
    reply.status = WIFEXITED(status)             ? FATHOM_EXTERNAL_EXITED
                   : WTERMSIG(status) == SIGALRM ? FATHOM_EXTERNAL_TIMED_OUT
                                                 : FATHOM_EXTERNAL_CRASHED;
    reply.detail = (unsigned)(WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  }
  transmitReply(&reply);
}

/* ---- one call of a program that runs ---- */

const char *fathom_external_receive(void) {
  return readRequest() && call.request.flags == FATHOM_EXTERNAL_CALLER && !call.memories ? call.name
                                                                                         : 0;
}

int fathom_external_word(unsigned i, unsigned long *word) {
  const unsigned registers = sizeof call.integers / sizeof *call.integers;
  if (i >= registers + call.stackWords) return 0;
  *word = i < registers ? call.integers[i] : call.stack[i - registers];
  return 1;
}

void fathom_external_invoke(void *function, struct fathom_reply *reply) {
  int number = (int)call.request.errnoValue;
  invoke(function, &number, &reply->integer, &reply->real);
  reply->detail = (unsigned)number;
}

void fathom_external_reply(const struct fathom_reply *reply) { transmit(reply, sizeof *reply); }

/* ---- */

void fathom_external_serve(void *(*find)(const char *name)) {
  /* What a child and its parent share. */
  volatile int *answered =
      mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (answered == MAP_FAILED) _exit(2);
  const unsigned hello = FATHOM_EXTERNAL_HELLO;
  transmit(&hello, sizeof hello);
  for (;;) {
    const int fine = readRequest();
    if (call.request.flags & (FATHOM_EXTERNAL_LOAD | FATHOM_EXTERNAL_RUN)) {
      struct fathom_reply reply = {0};
      reply.status =
          call.request.flags & FATHOM_EXTERNAL_LOAD ? loadRows(find) : runRows(call.request.calls);
      transmitReply(&reply);
      continue;
    }
    void *function = fine ? find(call.name) : 0;
    if (call.request.flags & FATHOM_EXTERNAL_MANY) {
      executeMany(function);
    } else if (!function) {
      struct fathom_reply reply = {fine ? FATHOM_EXTERNAL_NOT_FOUND : FATHOM_EXTERNAL_BAD_REQUEST,
                                   0, 0, 0, 0};
      transmitReply(&reply);
    } else if (call.request.flags & FATHOM_EXTERNAL_APART) {
      executeApart(function, find, answered);
    } else {
      execute(function);
    }
    for (unsigned i = 0; i < call.memories; i++)
      if (!call.memory[i].address) free(call.memory[i].data);
  }
}
