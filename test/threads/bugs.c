// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs in threads: a local and a thread-local variable of a thread that has ended, a lost block, an assertion; reported once, in the function of the thread.
// RUN: %explore %s %t bugs=assertion:18,leak:24,use-after-free:39,use-after-free:41 ledger=environment,threads paths_completed=2 --cc=-pthread
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "diverged": 0
#include <assert.h>
#include <fathom.h>
#include <pthread.h>
#include <stdlib.h>

static int input;
static __thread int own;
static int *escaped;

static void *work(void *argument) {
  int local = 1;
  own = 2;
  assert(input != 7);
  if (input == 8) {
    escaped = &local;
    return argument;
  }
  if (input == 9) {
    char *lost = malloc(10);
    lost[0] = 1;
    return argument;
  }
  escaped = &own;
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  input = fathom_int("input");
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, &result);
  if (input == 8)
    return *escaped;
  if (input == 10)
    return *escaped + 1;
  return 0;
}
