// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers together, writers alone, also when the one inside gives the processor away.
// RUN: %threads %s %t
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, torn;

static void *write(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    pthread_rwlock_wrlock(&lock);
    int before = value;
    sched_yield();
    value = before + 1;
    pthread_rwlock_unlock(&lock);
  }
  return 0;
}

static void *read(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    pthread_rwlock_rdlock(&lock);
    int before = value;
    sched_yield();
    if (value != before) __atomic_fetch_add(&torn, 1, __ATOMIC_SEQ_CST);
    pthread_rwlock_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, i % 2 ? read : write, (void *)10L);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  printf("%d %d\n", value, torn);
  return 0;
}
