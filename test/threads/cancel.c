// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_cancel ends a wait for data, for a condition variable (the cleanup handler has the mutex) and for time; a thread that does not
// wait is cancelled where it tests.
// RUN: %threads %s %t
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int ends[2], cleaned;

static void unlock(void *mutex) {
  cleaned++;
  pthread_mutex_unlock(mutex);
}
static void *reads(void *unused) {
  char byte;
  read(ends[0], &byte, 1);
  return unused;
}
static void *waits(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  return unused;
}
static void *sleeps(void *unused) {
  sleep(1000);
  return unused;
}
static void *tests(void *unused) {
  for (;;) {
    pthread_testcancel();
    sched_yield();
  }
  return unused;
}

int main(void) {
  void *(*const bodies[])(void *) = {reads, waits, sleeps, tests};
  pipe(ends);
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    void *result = 0;
    pthread_create(&thread, 0, bodies[i], 0);
    usleep(200000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d %d\n", result == PTHREAD_CANCELED, cleaned);
  }
  return pthread_mutex_trylock(&lock);
}
