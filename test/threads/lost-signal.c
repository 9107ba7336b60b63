// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A consumer waits without looking whether there is anything to wait for: when the signal came before, everybody waits for ever. The twin
// looks.
// RUN: %explore %s %t paths_completed=1 bugs=deadlock:45 ledger=environment,threads --cc=-pthread
// RUN: FileCheck %s < %t.out/bugs/000001/bug.json
// CHECK: "message": "no thread can go on: thread 0 waits in {{.*}}join at {{.*}}:45, thread 1 waits in pthread_cond_wait at {{.*}}:26
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s --check-prefix=REPLAY
// REPLAY: "diverged": 0
// REPLAY: "verdict": "reproduced"
// RUN: %explore %s %t.fixed paths_completed=2 ledger=environment,threads --cc=-pthread --cc=-DFIXED
#include <fathom.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;

static void *consume(void *argument) {
  pthread_mutex_lock(&lock);
#ifdef FIXED
  while (!full)
#else
  if (full < 2)
#endif
    pthread_cond_wait(&filled, &lock);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void produce(void) {
  pthread_mutex_lock(&lock);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  int early = fathom_int("early") == 1;
  if (early) produce();
  pthread_create(&thread, 0, consume, 0);
  sched_yield();
  if (!early) produce();
  pthread_join(thread, 0);
  return 0;
}
