// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `a && b` as a loop's condition: where the loop goes on, both hold.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds null-dereference > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 3 reports: 3 null-dereference
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int walkOk(struct node *n) {
  int sum = 0;
  while (n && n->value > 0) {
    sum += n->value;
    n = n->next;
  }
  return sum;
}

int countedOk(struct node *n, int most) {
  int sum = 0;
  for (int i = 0; i < most && n; i++) {
    sum += n->value;
    n = n->next;
  }
  return sum;
}

int threeOk(struct node *n, int most) {
  int sum = 0;
  while (most-- > 0 && n && n->value != 7) {
    sum += n->value;
    n = n->next;
  }
  return sum;
}

// Behind the loop nothing is known of it.
int afterwards(struct node *n) {
  while (n && n->value > 0) n = n->next;
  // CHECK-DAG: loop-conditions.c:[[#@LINE+1]]:{{.*}} null-dereference
  return n->value;
}

// One of them is enough to go on.
int either(struct node *n, int most) {
  int sum = 0;
  while (n || most > 0) {
    // CHECK-DAG: loop-conditions.c:[[#@LINE+1]]:{{.*}} null-dereference
    sum += n->value;
    most--;
    n = n->next;
  }
  return sum;
}

// It changes between the condition and the use.
int changed(struct node *n) {
  int sum = 0;
  while (n && sum < 9) {
    n = sum > 4 ? NULL : n->next;
    // CHECK-DAG: loop-conditions.c:[[#@LINE+1]]:{{.*}} null-dereference
    sum += n->value;
  }
  return sum;
}

int main(int argc, char **argv) {
  struct node n = {argc, NULL};
  return walkOk(&n) + countedOk(&n, argc) + threeOk(&n, argc) + afterwards(&n) + either(&n, argc) + changed(&n);
}
