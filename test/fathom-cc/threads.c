// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -pthread: thread-local variables, locks, condition variables and cancellation of a blocked thread work natively.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc -pthread %s -o program && ./program | FileCheck %s
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static _Thread_local int mine = 5;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int total, started;

static void *add(void *argument) {
  for (int i = 0; i < 10000; i++) {
    pthread_mutex_lock(&lock);
    total += ++mine > 0;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *blocked(void *fd) {
  char byte;
  pthread_mutex_lock(&lock);
  started = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  read(*(int *)fd, &byte, 1); // never returns: cancelled inside the system call
  return 0;
}

int main(void) {
  pthread_t threads[4], sleeper;
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  printf("%d %d\n", total, mine); // CHECK: 40000 5
  int ends[2];
  void *result;
  pipe(ends);
  pthread_create(&sleeper, 0, blocked, &ends[0]);
  pthread_mutex_lock(&lock);
  while (!started) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  usleep(20000);
  pthread_cancel(sleeper);
  pthread_join(sleeper, &result);
  printf("%s\n", result == PTHREAD_CANCELED ? "cancelled" : "returned"); // CHECK: cancelled
  return 0;
}
