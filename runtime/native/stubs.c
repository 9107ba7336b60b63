/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that the program has no code of, in native trace variants: each is a stub
 * (lib/program/CallStubs.h) that leads here, and a process with the libraries executes it
 * (external.h). A connection lasts as long as its call: between calls there is no descriptor that
 * the program could see, close or hand down.
 *
 * Only system calls: nothing of libc is used but its errno, if it has one.
 */
#include "external.h"

#include "../posix/syscalls.h"
#include "thread.h"

#include <asm/unistd.h>
#include <linux/prctl.h>

const char *__fathom_callsSocket(void); /* trace.c */

enum {
  kUnixDomain = 1,
  kByteStream = 1,
  kCloseOnExec = 02000000,
  kNoSignal = 0x4000,
  kUnblock = 1
};
enum { kNotExecuted = 125 }; /* exit status: not by a signal, which would look like a bug */

struct address {
  unsigned short family;
  char path[108];
};

static usize lengthOf(const char *text) {
  usize n = 0;
  while (text[n]) n++;
  return n;
}

static void say(const char *text) {
  __fathom_kernel(__NR_write, 2, (long)text, (long)lengthOf(text), 0, 0, 0);
}

static void __attribute__((noreturn)) endProcess(long status) {
  for (;;) __fathom_kernel(__NR_exit_group, status, 0, 0, 0, 0, 0);
}

static void __attribute__((noreturn)) giveUp(const char *name, const char *why) {
  say("fathom: call of ");
  say(name);
  say(": ");
  say(why);
  say("\n");
  endProcess(kNotExecuted);
}

/* As the function did: whatever the program does with the signal, it would have ended there. */
static void __attribute__((noreturn)) endBySignal(int signal) {
  unsigned long action[4] = {0}, set = 1ul << (signal - 1);
  __fathom_kernel(__NR_rt_sigaction, signal, (long)action, 0, 8, 0, 0);
  __fathom_kernel(__NR_rt_sigprocmask, kUnblock, (long)&set, 0, 8, 0, 0);
  __fathom_kernel(__NR_tkill, __fathom_kernel(__NR_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0, 0);
  endProcess(128 + signal);
}

/* 0: the other side is gone. */
static int transmit(long fd, const void *data, usize size) {
  for (const char *at = data; size;) {
    long n = __fathom_kernel(__NR_sendto, fd, (long)at, (long)size, kNoSignal, 0, 0);
    if (n == -EINTR) continue;
    if (n <= 0) return 0;
    at += n;
    size -= (usize)n;
  }
  return 1;
}
static int receive(long fd, void *data, usize size) {
  for (char *at = data; size;) {
    long n = __fathom_kernel(__NR_read, fd, (long)at, (long)size, 0, 0, 0);
    if (n == -EINTR) continue;
    if (n <= 0) return 0;
    at += n;
    size -= (usize)n;
  }
  return 1;
}

static long connectTo(const char *path) {
  struct address to = {kUnixDomain, {0}};
  for (usize i = 0; path[i] && i < sizeof to.path - 1; i++) to.path[i] = path[i];
  long fd = __fathom_kernel(__NR_socket, kUnixDomain, kByteStream | kCloseOnExec, 0, 0, 0, 0);
  if (fd < 0) return fd;
  long status;
  do status = __fathom_kernel(__NR_connect, fd, (long)&to, sizeof to, 0, 0, 0);
  while (status == -EINTR);
  if (status == 0) return fd;
  __fathom_kernel(__NR_close, fd, 0, 0, 0, 0, 0);
  return status;
}

/* The function's result as it is in its register. errnoAt: null if the program has none. Does not
 * come back when the function does not. */
unsigned long __fathom_external_call(const char *name, unsigned result, unsigned count,
                                     const struct fathom_argument *arguments, int *errnoAt) {
  const char *path = __fathom_callsSocket();
  if (!*path) giveUp(name, "it has no code, and no library was named (--load)");
  /* Where only a process's ancestors may see its memory: this one wants to be seen. */
  __fathom_kernel(__NR_prctl, PR_SET_PTRACER, -1, 0, 0, 0, 0);
  struct fathom_request request = {0};
  request.nameBytes = (unsigned)lengthOf(name);
  request.arguments = count;
  request.result = result;
  request.flags = FATHOM_EXTERNAL_CALLER;
  request.errnoValue = errnoAt ? (unsigned)*errnoAt : 0;
  struct fathom_reply reply;
  unsigned hello = 0;
  long fd = connectTo(path);
  if (fd < 0 || !receive(fd, &hello, sizeof hello) || hello != FATHOM_EXTERNAL_HELLO ||
      !transmit(fd, &request, sizeof request) || !transmit(fd, name, request.nameBytes) ||
      !transmit(fd, arguments, count * sizeof *arguments) || !receive(fd, &reply, sizeof reply))
    giveUp(name, "the process that executes it is not there");
  __fathom_kernel(__NR_close, fd, 0, 0, 0, 0, 0);
  switch (reply.status) {
  case FATHOM_EXTERNAL_DONE:
    if (errnoAt) *errnoAt = (int)reply.detail;
    break;
  case FATHOM_EXTERNAL_CRASHED: endBySignal((int)reply.detail);
  case FATHOM_EXTERNAL_EXITED: endProcess((long)reply.detail);
  case FATHOM_EXTERNAL_NOT_FOUND: giveUp(name, "it is in no library that was named");
  case FATHOM_EXTERNAL_UNREACHABLE:
    giveUp(name, reply.detail ? "the process that executes it may not see the program's memory"
                              : "the process that executes it has something else at an address "
                                "of the program");
  default: giveUp(name, "it cannot be executed");
  }
  return result == FATHOM_EXTERNAL_DOUBLE || result == FATHOM_EXTERNAL_FLOAT ? reply.real
                                                                             : reply.integer;
}

/* Of a function whose parameters or result cannot be passed. */
void __fathom_external_refused(const char *name, const char *why) { giveUp(name, why); }
