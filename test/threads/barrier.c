// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody is in the next phase before everybody is through with this one; one thread each time is told that it is the one.
// RUN: %threads %s %t
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kPhases = 5 };
static pthread_barrier_t barrier;
static int phase[kThreads], early;

static void *run(void *number) {
  long chosen = 0;
  for (int i = 1; i <= kPhases; i++) {
    __atomic_store_n(&phase[(long)number], i, __ATOMIC_SEQ_CST);
    chosen += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    for (int j = 0; j < kThreads; j++)
      if (__atomic_load_n(&phase[j], __ATOMIC_SEQ_CST) < i) __atomic_fetch_add(&early, 1, __ATOMIC_SEQ_CST);
    pthread_barrier_wait(&barrier);
  }
  return (void *)chosen;
}

int main(void) {
  pthread_t threads[kThreads];
  long chosen = 0;
  void *result;
  pthread_barrier_init(&barrier, 0, kThreads);
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < kThreads; i++) {
    pthread_join(threads[i], &result);
    chosen += (long)result;
  }
  printf("%ld %d\n", chosen, early);
  return pthread_barrier_destroy(&barrier);
}
