// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// races NUMBER: what comes out depends on the schedule, and in each part is one of a few things. NUMBER decides how long each thread dawdles
// before what it does, and whether it yields: many numbers are many schedules.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned number;

static void dawdle(unsigned who, unsigned step) {
  unsigned hash = (number * 2654435761u + who * 40503u + step * 9973u) >> 7;
  for (volatile unsigned i = 0; i < hash % 7 * (number % 5) * 300; i = i + 1) {}
  for (unsigned i = 0; i < (hash >> 8) % 4; i++) sched_yield();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

// Who comes first: six orders.
static char order[4];
static void *comeIn(void *who) {
  unsigned me = (unsigned)(size_t)who;
  dawdle(me, 0);
  pthread_mutex_lock(&lock);
  order[strlen(order)] = (char)('a' + me);
  pthread_mutex_unlock(&lock);
  return 0;
}

// A lost update: 2 or 1. (Atomic, so that only the order is open.)
static atomic_int count;
static void *addOne(void *who) {
  unsigned me = (unsigned)(size_t)who;
  dawdle(me, 1);
  int seen = count;
  dawdle(me, 2);
  count = seen + 1;
  return 0;
}

// Two who write and one who reads what is there, once there is something: 1 or 2, or 3 after both.
static int written;
static void *writeOne(void *who) {
  unsigned me = (unsigned)(size_t)who;
  dawdle(me, 3);
  pthread_mutex_lock(&lock);
  written |= 1 << me;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
  return 0;
}
static void *readIt(void *unused) {
  dawdle(2, 4);
  pthread_mutex_lock(&lock);
  while (!written) pthread_cond_wait(&change, &lock);
  size_t seen = (size_t)written;
  pthread_mutex_unlock(&lock);
  return (void *)seen;
}

// Whether the lock was free.
static void *tryIt(void *unused) {
  dawdle(3, 5);
  if (pthread_mutex_trylock(&lock)) return (void *)1;
  pthread_mutex_unlock(&lock);
  return (void *)2;
}

int main(int argc, char **argv) {
  number = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  pthread_t t[3];
  void *result;
  for (size_t i = 0; i < 3; i++) pthread_create(&t[i], 0, comeIn, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("order %s\n", order);
  for (size_t i = 0; i < 2; i++) pthread_create(&t[i], 0, addOne, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  printf("count %d\n", count);
  for (size_t i = 0; i < 2; i++) pthread_create(&t[i], 0, writeOne, (void *)i);
  pthread_create(&t[2], 0, readIt, 0);
  pthread_join(t[2], &result);
  printf("read %zu\n", (size_t)result);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  pthread_create(&t[0], 0, tryIt, 0);
  dawdle(0, 6);
  pthread_mutex_lock(&lock);
  dawdle(0, 7);
  pthread_mutex_unlock(&lock);
  pthread_join(t[0], &result);
  printf("try %zu\n", (size_t)result);
  return 0;
}
