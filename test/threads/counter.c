// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex protects a counter; threads give back values; a thread's thread-local variables are its own, and begin as they were initialised.
// RUN: %threads %s %t
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static __thread int mine = 5;
static __thread char name[32] = "thread";
static _Thread_local long many[100];

static void *count(void *number) {
  snprintf(name + 6, sizeof name - 6, "%ld", (long)number);
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    mine++;
    many[i] = (long)&many[i] == (long)&many[0] + 8 * i ? mine : -1;
  }
  return (void *)((long)number * 1000 + many[99] + name[6]);
}

int main(void) {
  pthread_t threads[3];
  void *result;
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, count, (void *)i);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], &result);
    printf("%ld\n", (long)result);
  }
  printf("%d %d %s %ld\n", counter, mine, name, many[99]);
  return counter == 300 ? 7 : 1;
}
