// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_once, thread-specific data and its destructors, C11 threads.
// RUN: %threads %s %t
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int made, destroyed;
static mtx_t lock;

static void destroy(void *number) {
  mtx_lock(&lock);
  destroyed += *(int *)number;
  mtx_unlock(&lock);
  free(number);
}
static void make(void) {
  sched_yield(); // the others come meanwhile
  pthread_key_create(&key, destroy);
  made++;
}

static void *use(void *number) {
  pthread_once(&once, make);
  int *own = malloc(sizeof *own);
  *own = (int)(long)number;
  pthread_setspecific(key, own);
  sched_yield();
  return (void *)(long)(*(int *)pthread_getspecific(key) + 10 * made);
}

static int twice(void *number) { return 2 * *(int *)number; }

int main(void) {
  pthread_t threads[4];
  long sum = 0;
  void *result;
  mtx_init(&lock, mtx_plain);
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, use, (void *)(i + 1));
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld %d %d\n", sum, made, destroyed);
  thrd_t thread;
  int six = 6, status;
  if (thrd_create(&thread, twice, &six) != thrd_success) return 1;
  thrd_join(thread, &status);
  printf("%d %s\n", status, pthread_getspecific(key) ? "set" : "not set");
  return 0;
}
