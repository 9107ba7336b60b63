// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time passes for those who sleep when nobody else can run: waits with a time limit end, in the order of their times.
// RUN: %threads %s %t
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *sleepFor(void *milliseconds) {
  usleep((long)milliseconds * 1000);
  printf("after %ld\n", (long)milliseconds);
  return 0;
}
// Told by semaphores, not by delays, which a busy machine makes as long as it likes.
static sem_t isHeld, mayRelease;
static void *hold(void *unused) {
  pthread_mutex_lock(&held);
  sem_post(&isHeld);
  sem_wait(&mayRelease);
  usleep(200000);
  pthread_mutex_unlock(&held);
  return unused;
}

static struct timespec in(long milliseconds) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += milliseconds * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

int main(void) {
  pthread_t threads[3];
  long delays[] = {1500, 100, 800};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, sleepFor, (void *)delays[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);

  struct timespec until = in(20);
  pthread_mutex_lock(&lock);
  printf("%d\n", pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);

  sem_init(&isHeld, 0, 0), sem_init(&mayRelease, 0, 0);
  pthread_create(&threads[0], 0, hold, 0);
  sem_wait(&isHeld);
  until = in(10);
  printf("%d", pthread_mutex_timedlock(&held, &until) == ETIMEDOUT);
  sem_post(&mayRelease);
  until = in(60000);
  printf(" %d\n", pthread_mutex_timedlock(&held, &until));
  pthread_join(threads[0], 0);
  return 0;
}
