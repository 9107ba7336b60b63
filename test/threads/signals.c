// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that takes the process's signals, which are blocked in all threads; each thread has a mask of its own. Robust mutexes.
// RUN: %threads %s %t
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sigset_t mine;
static pthread_mutex_t robust;
static int handled;

static void *take(void *unused) {
  for (int signal; sigwait(&mine, &signal) == 0;) {
    printf("taken: %d\n", signal == SIGUSR1 ? 1 : signal == SIGTERM ? 2 : 3);
    if (signal == SIGTERM) break;
  }
  struct timespec little = {0, 1000000};
  printf("%d\n", sigtimedwait(&mine, 0, &little) == -1 && errno == EAGAIN);
  return unused;
}

static void count(int signal) {
  handled++;
}
static void *unblock(void *unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  raise(SIGUSR2);
  return unused;
}

static void *dies(void *unused) {
  pthread_mutex_lock(&robust);
  return unused;
}

int main(void) {
  pthread_t thread;
  sigset_t now;
  sigemptyset(&mine);
  sigaddset(&mine, SIGUSR1);
  sigaddset(&mine, SIGTERM);
  sigaddset(&mine, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mine, 0);
  signal(SIGUSR2, count);
  pthread_create(&thread, 0, take, 0);
  usleep(10000);
  kill(getpid(), SIGUSR1);
  usleep(10000);
  kill(getpid(), SIGTERM);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, unblock, 0);
  pthread_join(thread, 0);
  pthread_sigmask(SIG_BLOCK, 0, &now);
  printf("%d %d\n", handled, sigismember(&now, SIGUSR2));

  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  printf("%d", pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
  pthread_mutex_init(&robust, &attributes);
  pthread_create(&thread, 0, dies, 0);
  pthread_join(thread, 0);
  printf(" %d", pthread_mutex_lock(&robust) == EOWNERDEAD);
  pthread_mutex_consistent(&robust);
  pthread_mutex_unlock(&robust);
  printf(" %d\n", pthread_mutex_lock(&robust));
  return 0;
}
