// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumers with condition variables: signal and broadcast.
// RUN: %threads %s %t
#include <pthread.h>
#include <stdio.h>

enum { kRoom = 3, kConsumers = 3, kItems = 30 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notEmpty = PTHREAD_COND_INITIALIZER, notFull = PTHREAD_COND_INITIALIZER,
                      started = PTHREAD_COND_INITIALIZER;
static int queue[kRoom], used, head, waiting, go;

static void put(int value) {
  pthread_mutex_lock(&lock);
  while (used == kRoom) pthread_cond_wait(&notFull, &lock);
  queue[(head + used++) % kRoom] = value;
  pthread_cond_signal(&notEmpty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  while (!used) pthread_cond_wait(&notEmpty, &lock);
  int value = queue[head];
  head = (head + 1) % kRoom;
  used--;
  pthread_cond_signal(&notFull);
  pthread_mutex_unlock(&lock);
  return value;
}

static void *consume(void *sum) {
  pthread_mutex_lock(&lock);
  waiting++;
  while (!go) pthread_cond_wait(&started, &lock);
  pthread_mutex_unlock(&lock);
  for (int value; (value = get()) >= 0;) *(long *)sum += value;
  return sum;
}

int main(void) {
  pthread_t threads[kConsumers];
  long sums[kConsumers] = {0}, total = 0;
  for (int i = 0; i < kConsumers; i++) pthread_create(&threads[i], 0, consume, &sums[i]);
  pthread_mutex_lock(&lock);
  go = 1;
  pthread_cond_broadcast(&started);
  pthread_mutex_unlock(&lock);
  for (int i = 1; i <= kItems; i++) put(i);
  for (int i = 0; i < kConsumers; i++) put(-1);
  for (int i = 0; i < kConsumers; i++) {
    void *sum;
    pthread_join(threads[i], &sum);
    total += *(long *)sum;
  }
  printf("%ld %d\n", total, waiting);
  return 0;
}
