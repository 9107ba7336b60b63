// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads take two mutexes in another order when the input says so: a deadlock, with what each waits for, and its input replays. The
// other input is fine, and so is the twin that always takes them in one order.
// RUN: %explore %s %t paths_completed=1 bugs=deadlock:28 ledger=environment,threads --cc=-pthread
// RUN: FileCheck %s --check-prefix=BUG < %t.out/bugs/000001/bug.json
// BUG: "kind": "deadlock"
// BUG: "cwe": 833
// BUG: "message": "no thread can go on: thread 0 waits in pthread_mutex_lock for 'b' at {{.*}}lock-order.c:44, thread 1 waits in pthread_mutex_lock for 'a' at {{.*}}lock-order.c:28"
// BUG: "function": "work"
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s --check-prefix=REPLAY
// REPLAY: "diverged": 0
// REPLAY: "verdict": "reproduced"
// RUN: %explore %s %t.fixed paths_completed=1 ledger=environment,threads --cc=-pthread --cc=-DFIXED
#include <fathom.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int swapped;

static void *work(void *argument) {
  pthread_mutex_t *first = &a, *second = &b;
#ifndef FIXED
  if (swapped) first = &b, second = &a;
#endif
  pthread_mutex_lock(first);
  sched_yield();
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return argument;
}

int main(void) {
  unsigned char input;
  pthread_t thread;
  fathom_symbolic(&input, 1, "input");
#ifndef FIXED
  swapped = input == 200;
#endif
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&a);
  sched_yield();
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, 0);
  return 0;
}
