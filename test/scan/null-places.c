// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A null pointer comes from the line that assigns it, also where the variable is a register and only a loop or a branch behind it joins its values.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %fathom scan --all %s --kinds null-dereference --sarif %t/null.sarif | FileCheck %s
// fathom confirm knows these lines, although they have no instruction of their own.
// RUN: env FATHOM_CACHE=%t %fathom confirm %s --reports %t/null.sarif --json | FileCheck %s --check-prefix=VERDICTS
// VERDICTS: "asked":5,"causes":5,"confirmed":5,
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static int of_a_loop(const struct node *list, int n) {
  const struct node *found = NULL;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (list[i].value > 3) found = &list[i];
    sum += i;
  }
  // CHECK: null-places.c:[[@LINE+9]]:17: null-dereference: a pointer may be null; it is null since {{.*}}null-places.c:[[@LINE-6]]
  // CHECK-NEXT: 1. null is assigned, in of_a_loop
  // CHECK-NEXT: const struct node *found = NULL;
  // CHECK-NEXT: ^
  // CHECK-NEXT: 2. it is still null here
  // CHECK-NEXT: for (int i
  // CHECK-NEXT: ^
  // CHECK-NEXT: 3. memory is read through null
  // CHECK: found->value
  return found->value + sum;
}

static int of_a_branch(const struct node *list, int n) {
  const struct node *best = list;
  if (n > 5) {
    best = NULL;
    n = 5;
  }
  // CHECK: null-places.c:[[@LINE+5]]:16: null-dereference: a pointer may be null; it is null since {{.*}}null-places.c:[[@LINE-3]]
  // CHECK-NEXT: 1. null is assigned, in of_a_branch
  // CHECK-NEXT: best = NULL;
  // CHECK-NEXT: ^
  // CHECK-NEXT: 2. memory is read through null
  return best->value + n;
}

// Behind other branches, the null of the beginning.
static int of_the_beginning(const struct node *list, int n) {
  const struct node *at = NULL;
  if (n > 7) n = 7;
  if (n < 2) n = 2;
  while (n-- > 3) at = &list[n];
  // CHECK: null-places.c:[[@LINE+1]]:14: null-dereference: a pointer may be null; it is null since {{.*}}null-places.c:[[@LINE-4]]
  return at->value;
}

static const struct node *chosen(const struct node *list, int n) {
  const struct node *result = NULL;
  if (n > 1) result = list;
  return result;
}
static int of_a_result(const struct node *list, int n) {
  // CHECK: null-places.c:[[@LINE+1]]:27: null-dereference: a pointer may be null; it is null since {{.*}}null-places.c:[[@LINE-5]]
  return chosen(list, n)->value;
}

// No variable: where the expression is.
static int of_an_expression(const struct node *list, int n) {
  // CHECK: null-places.c:[[@LINE+1]]:38: null-dereference: a pointer may be null; it is null since {{.*}}null-places.c:[[@LINE+1]]
  return (n > 4 ? list : (void *)0)->value;
}

// Each defect needs another number of arguments, so that none hides another one.
int main(int argc, char **argv) {
  const struct node list[8] = {{NULL, 5}, {NULL, 1}, {NULL, argc}};
  const int n = argc > 7 ? 7 : argc - 1;
  switch (argc) {
  case 1: return of_a_loop(list, n);
  case 2: return of_a_result(list, n);
  case 3: return of_the_beginning(list, n);
  case 4: return of_an_expression(list, n);
  default: return of_a_branch(list, n);
  }
}
