// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores: waiting, trying, and a wait that ends by its time; ping-pong between two threads.
// RUN: %threads %s %t
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t ping, pong, slots;

static void *answer(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    sem_wait(&ping);
    printf("pong %ld\n", i);
    sem_post(&pong);
  }
  return 0;
}

static int inside, most;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *enter(void *unused) {
  sem_wait(&slots);
  pthread_mutex_lock(&lock);
  if (++inside > most) most = inside;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
  sem_post(&slots);
  return unused;
}

int main(void) {
  pthread_t thread, guests[5];
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  sem_init(&slots, 0, 2);
  pthread_create(&thread, 0, answer, (void *)4L);
  for (int i = 0; i < 4; i++) {
    printf("ping %d\n", i);
    sem_post(&ping);
    sem_wait(&pong);
  }
  pthread_join(thread, 0);
  for (int i = 0; i < 5; i++) pthread_create(&guests[i], 0, enter, 0);
  for (int i = 0; i < 5; i++) pthread_join(guests[i], 0);
  int left;
  sem_getvalue(&slots, &left);
  printf("%d %d\n", most <= 2, left);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec -= 1;
  printf("%d", sem_trywait(&ping) == -1 && errno == EAGAIN);
  printf(" %d\n", sem_timedwait(&ping, &until) == -1 && errno == ETIMEDOUT);
  return 0;
}
