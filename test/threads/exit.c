// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit() in a thread ends all of them, with its status; stdio is flushed.
// RUN: %threads %s %t
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *leave(void *argument) {
  printf("leaving");
  exit(9);
}
static void *wait(void *argument) {
  pthread_mutex_lock(&lock); // for ever
  abort();
}

int main(void) {
  pthread_t waiting, leaving;
  pthread_mutex_lock(&lock);
  pthread_create(&waiting, 0, wait, 0);
  pthread_create(&leaving, 0, leave, 0);
  pthread_join(waiting, 0);
  return 1;
}
