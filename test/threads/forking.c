// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that depend on symbolic input: each path has threads of its own. The paths are counted, also with several workers, which bring
// states back from their logs, and with a run that is taken up again; all of them replay.
// RUN: %explore %s %t paths_completed=64 tests=64 statuses=0,1,2,3,4,5,6 ledger=environment,threads --cc=-pthread
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s --check-prefix=SAME
// SAME: "tests": 64
// SAME: "differ": 0
// SAME: "stdout_differ": 0
// SAME: "stderr_differ": 0
// SAME: "compared": 64
// SAME: "diverged": 0
// RUN: %explore %t.program %t.two paths_completed=64 tests=64 statuses=0,1,2,3,4,5,6 ledger=environment,threads -- --jobs 2
// RUN: %fathom replay %t.program %t.two.out --json | FileCheck %s --check-prefix=SAME
// A target in a thread that waits.
// RUN: %explore %t.program %t.target paths_completed=64 ledger=environment,threads -- --search targets=%s:40
// RUN: rm -rf %t.parts
// RUN: %fathom explore %t.program -o %t.parts -q --max-instructions 300000
// RUN: %fathom explore %t.program -o %t.parts -q --max-instructions 300000 --resume --jobs 2
// RUN: %fathom explore %t.program -o %t.parts --resume | FileCheck %s --check-prefix=WHOLE
// WHOLE: paths 64 completed, 0 ended by a bug or an assumption, 0 unfinished
// RUN: %fathom replay %t.program %t.parts --json | FileCheck %s --check-prefix=SAME
#include <fathom.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned char input[2 * kThreads];
static int turn, hits;
static __thread int own;

static void *look(void *argument) {
  const long number = (long)argument;
  own = 0;
  if (input[2 * number] == 'a' + number) own++;
  pthread_mutex_lock(&lock);
  while (turn != number) pthread_cond_wait(&changed, &lock);
  if (input[2 * number + 1] > 200) own++;
  hits += own;
  turn++;
  printf("%ld: %d\n", number, own);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  fathom_symbolic(input, sizeof input, "input");
  for (long i = kThreads - 1; i >= 0; i--) pthread_create(&threads[i], 0, look, (void *)i);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], 0);
  return hits;
}
