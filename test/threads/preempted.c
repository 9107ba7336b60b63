// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that keep the processor are preempted at the same branches whoever explores the path, and natively: what is printed depends on
// where. Forks lie between; states are brought back by other workers and by a run that goes on (whose first part may leave one test of an
// unfinished path).
// RUN: %explore %s %t paths_completed=64 tests=64 ledger=environment,threads --cc=-pthread
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "tests": 6{{[45]}}
// CHECK: "stdout_differ": 0
// CHECK: "compared": 6{{[45]}}
// CHECK: "diverged": 0
// RUN: %explore %t.program %t.two paths_completed=64 tests=64 ledger=environment,threads -- --jobs 2 --search bfs
// RUN: %fathom replay %t.program %t.two.out --json | FileCheck %s
// RUN: rm -rf %t.parts
// RUN: %fathom explore %t.program -o %t.parts -q --max-instructions 3000000 --search dfs
// RUN: %fathom explore %t.program -o %t.parts --resume | FileCheck %s --check-prefix=WHOLE
// WHOLE: paths 64 completed, 0 ended by a bug or an assumption, 0 unfinished
// RUN: %fathom replay %t.program %t.parts --json | FileCheck %s
#include <fathom.h>
#include <pthread.h>
#include <stdio.h>

static volatile int flag, waited[2];
static unsigned char input[6];

static void *spin(void *number) {
  while (!flag) waited[(long)number]++;
  return number;
}

int main(void) {
  pthread_t threads[2];
  int sum = 0;
  fathom_symbolic(input, sizeof input, "input");
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, spin, (void *)i);
  for (int i = 0; i < 6; i++) {
    int rounds = 1000;
    if (input[i] > 'm') rounds = 4001;
    for (volatile int j = 0; j < rounds; j++) sum++;
    printf("%d %d %d\n", i, waited[0] > 0, waited[1] % 1000);
  }
  flag = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  printf("%d %d %d\n", sum, waited[0], waited[1]);
  return 0;
}
