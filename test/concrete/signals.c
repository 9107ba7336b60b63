// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Signals within one process: handlers, masks, pending ones, sigaction, raise, abort caught; alarm-free.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t count, last;
static void handler(int s) { count++, last = s; }
static void info(int s, siginfo_t *i, void *context) { count += 10, last = i->si_signo; }

int main(void) {
  printf("%d\n", signal(SIGUSR1, handler) == SIG_DFL);
  raise(SIGUSR1), kill(getpid(), SIGUSR1);
  printf("%d %d\n", (int)count, last == SIGUSR1);
  struct sigaction a, old;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = info, a.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR2, &a, NULL);
  raise(SIGUSR2);
  sigaction(SIGUSR2, NULL, &old);
  printf("%d %d %d\n", (int)count, last == SIGUSR2, old.sa_handler == SIG_DFL);
  sigset_t block, pending, before;
  sigemptyset(&block), sigaddset(&block, SIGUSR1);
  sigprocmask(SIG_BLOCK, &block, &before);
  raise(SIGUSR1);
  sigpending(&pending);
  printf("%d %d %d\n", (int)count, sigismember(&pending, SIGUSR1), sigismember(&before, SIGUSR1));
  sigprocmask(SIG_SETMASK, &before, NULL);
  printf("%d\n", (int)count);
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  signal(SIGCHLD, SIG_DFL);
  raise(SIGCHLD);
  int fds[2];
  signal(SIGPIPE, SIG_IGN);
  printf("%d ", pipe(fds));
  close(fds[0]);
  printf("%d\n", (int)write(fds[1], "x", 1));
  close(fds[1]);
  return 0;
}
