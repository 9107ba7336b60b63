// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detached threads, from the start and later; main leaves by pthread_exit, and the last thread ends the process, with what atexit wants.
// RUN: %threads %s %t
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t done;
static pthread_t mainThread;

static void *work(void *argument) {
  sem_post(&done);
  return argument;
}
static void goodbye(void) {
  puts("goodbye");
}
static void *last(void *argument) {
  void *result;
  pthread_join(mainThread, &result);
  printf("main left with %ld\n", (long)result);
  return argument;
}

int main(void) {
  pthread_attr_t detached;
  pthread_t thread;
  sem_init(&done, 0, 0);
  atexit(goodbye);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 3; i++) pthread_create(&thread, &detached, work, 0);
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  for (int i = 0; i < 4; i++) sem_wait(&done);
  mainThread = pthread_self();
  pthread_create(&thread, 0, last, 0);
  pthread_exit((void *)3L);
}
