// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait in loops are made to give the processor away: plain flags, atomics, spin locks, sched_yield, looking at the clock.
// RUN: %threads %s %t
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static volatile int flag;
static int ticket, serving, turns, count;
static pthread_spinlock_t spin;

static void *answer(void *unused) {
  while (flag != 1) continue;
  flag = 2;
  while (flag != 3) sched_yield();
  flag = 4;
  return unused;
}

static void *take(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    int mine = __atomic_fetch_add(&ticket, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != mine) continue;
    turns++;
    __atomic_fetch_add(&serving, 1, __ATOMIC_SEQ_CST);
    pthread_spin_lock(&spin);
    int before = count;
    sched_yield();
    count = before + 1;
    pthread_spin_unlock(&spin);
  }
  return 0;
}

static void *sleepThenSet(void *unused) {
  struct timespec time = {0, 50000000};
  nanosleep(&time, 0);
  flag = 5;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, answer, 0);
  flag = 1;
  while (flag != 2) continue;
  flag = 3;
  while (flag != 4) sched_yield();
  pthread_join(threads[0], 0);

  pthread_create(&threads[0], 0, sleepThenSet, 0);
  while (flag != 5) continue; // time has to pass
  pthread_join(threads[0], 0);

  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, take, (void *)3L);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  printf("%d %d %d %d %d\n", flag, ticket, serving, turns, count);
  return 0;
}
