// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop goes from one element of a list to the next, and each way into a round has asked that the pointer is not null.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds null-dereference > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 6 reports: 6 null-dereference
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *next, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->value = value;
  n->next = next;
  return n;
}

int lastOk(struct node *n) {
  if (!n) return 0;
  while (1) {
    if (n->next != NULL)
      n = n->next;
    else
      break;
  }
  return n->value;
}

int findOk(struct node *n, int value) {
  if (!n) return 0;
  do {
    if (n->value == value) return 1;
    if (n->next == NULL) break;
    n = n->next;
  } while (1);
  return n->value;
}

// Two ways into the next round, and a round within a round.
int skipOk(struct node *n) {
  if (!n) return 0;
  int sum = 0;
  for (;;) {
    while (n->value == ' ') {
      if (!n->next) return sum;
      n = n->next;
    }
    sum += n->value;
    if (n->next == NULL) return sum;
    n = n->next;
  }
}

// The wrong way round.
int inverted(struct node *n) {
  if (!n) return 0;
  while (1) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    if (n->next == NULL)
      n = n->next;
    else
      break;
  }
  return n->value;
}

// Only the rounds are asked about, not what comes in.
int begin(struct node *n) {
  while (1) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    if (n->next != NULL)
      n = n->next;
    else
      break;
  }
  return n->value;
}

// It may have changed between the question and the step.
int changed(struct node *n, struct node *other) {
  if (!n) return 0;
  while (1) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    if (n->next != NULL) {
      other->next = NULL;
      n = n->next;
    } else {
      break;
    }
  }
  return n->value;
}

// One of two ways into the next round does not ask.
int oneWay(struct node *n) {
  if (!n) return 0;
  int sum = 0;
  for (;;) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    sum += n->value;
    if (sum & 1) {
      n = n->next;
    } else {
      if (n->next == NULL) return sum;
      n = n->next;
    }
  }
}

// Nothing says where these are null: calloc wrote it.
struct link {
  int value;
  struct link *next;
};

static struct link *pushLink(struct link *next, int value) {
  struct link *n = calloc(1, sizeof *n);
  if (!n) exit(1);
  n->value = value;
  if (next) n->next = next;
  return n;
}

int invertedLink(struct link *n) {
  if (!n) return 0;
  while (1) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    if (n->next == NULL)
      n = n->next;
    else
      break;
  }
  return n->value;
}

int oneWayLink(struct link *n) {
  if (!n) return 0;
  int sum = 0;
  for (;;) {
    // CHECK-DAG: null-rounds.c:[[#@LINE+1]]:{{.*}} null-dereference
    sum += n->value;
    if (sum & 1) {
      n = n->next;
    } else {
      if (n->next == NULL) return sum;
      n = n->next;
    }
  }
}

int main(void) {
  struct link *l = pushLink(NULL, getchar());
  while (getchar() > ' ') l = pushLink(l, getchar());
  if (getchar() == 'i') return invertedLink(l);
  if (getchar() == 'o') return oneWayLink(l);
  struct node *n = NULL;
  int c;
  while ((c = getchar()) != EOF) n = push(n, c);
  int sum = lastOk(n) + findOk(n, 3) + skipOk(n);
  if (sum == 1) return inverted(n);
  if (sum == 2) return begin(n);
  if (sum == 3) return oneWay(n);
  return n ? changed(n, n) : 0;
}
