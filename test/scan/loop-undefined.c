// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `p && (c = next()) != EOF` as a loop's condition: where the first part ends the loop, the second has written nothing, and the loop's body
// does not run.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds uninitialized-read > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 4 reports: 4 uninitialized-read
#include <stdio.h>
#include <stdlib.h>

void andOk(char *p) {
  int c;
  while (p && (c = getchar()) != EOF) p[0] = c;
}

int threeOk(char *p, int most) {
  int c, sum = 0;
  while (p && most-- > 0 && (c = getchar()) != EOF) sum += c;
  return sum;
}

int nestedOk(int rounds) {
  int c, sum = 0;
  while (rounds-- > 0)
    for (int i = 0; i < 9 && (c = getchar()) != EOF; i++) sum += c;
  return sum;
}

// Behind the loop it may not have been written.
int afterwards(char *p) {
  int c;
  while (p && (c = getchar()) != EOF) p[0] = c;
  // CHECK-DAG: loop-undefined.c:[[#@LINE+1]]:{{.*}} uninitialized-read
  return c + 1;
}

// The first part alone is enough to go on.
void either(char *p, int most) {
  int c;
  while (most-- > 9 || (c = getchar()) != EOF) {
    // CHECK-DAG: loop-undefined.c:[[#@LINE+1]]:{{.*}} uninitialized-read
    if (p) p[0] = c;
  }
}

// The body runs, and only some of its rounds write.
int rounds(char *p, int most) {
  int c, sum = 0;
  while (p && most-- > 0) {
    if (p[0] == 'r') c = getchar();
    // CHECK-DAG: loop-undefined.c:[[#@LINE+1]]:{{.*}} uninitialized-read
    sum += c;
    p = p[1] ? p + 1 : NULL;
  }
  return sum;
}

// Where the first loop ends by its first part, the second one reads what was not written.
int second(char *p, char *q) {
  int c, d = 0;
  while (p && (c = getchar()) != EOF) p[0] = c;
  while (q && d != EOF) {
    // CHECK-DAG: loop-undefined.c:[[#@LINE+1]]:{{.*}} uninitialized-read
    q[0] = c;
    d = getchar();
  }
  return d;
}

int main(int argc, char **argv) {
  char *p = malloc(4);
  if (!p) return 1;
  p[0] = p[1] = 'r';
  p[2] = 0;
  andOk(p);
  either(p, argc);
  const int sum =
      threeOk(p, argc) + nestedOk(argc) + afterwards(argc > 1 ? p : NULL) + rounds(argc > 1 ? p : NULL, argc) + second(argc > 2 ? p : NULL, p);
  free(p);
  return sum;
}
