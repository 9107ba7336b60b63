// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex locked twice by the only thread there is. A recursive one can be; one that checks for it says so.
// RUN: %explore %s %t paths_completed=0 bugs=deadlock:25 --cc=-pthread
// RUN: FileCheck %s < %t.out/bugs/000001/bug.json
// CHECK: "message": "no thread can go on: thread 0 waits in pthread_mutex_lock for 'lock' at
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s --check-prefix=REPLAY
// REPLAY: "verdict": "reproduced"
// RUN: not sh %t.out/bugs/000001/replay.sh 2>&1 | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: exit status 124
// SCRIPT: did not end within 10 s
// Natively, on the kernel's schedule, it does not end.
// RUN: %fathom replay %t.program %t.out --binary %t.program --test-time 1s --json | FileCheck %s --check-prefix=REPLAY
// RUN: %explore %s %t.fixed paths_completed=1 statuses=0 --cc=-pthread --cc=-DFIXED
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int lockTwice(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_init(&lock, &attributes);
  pthread_mutex_lock(&lock);
  return pthread_mutex_lock(&lock);
}

int main(void) {
  if (lockTwice(PTHREAD_MUTEX_RECURSIVE) != 0) return 1;
  if (lockTwice(PTHREAD_MUTEX_ERRORCHECK) != EDEADLK) return 2;
#ifndef FIXED
  lockTwice(PTHREAD_MUTEX_NORMAL);
#endif
  return 0;
}
