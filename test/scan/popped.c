// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a list's head held before something else was stored there is not in it when it is freed: who pops one node after the other frees each
// once. So does a flag that says whether something was freed, or that it is null. Where the head keeps what is freed, that is reported.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --no-cache --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 5 reports: 3 use-after-free, 2 double-free
#include <stdbool.h>
#include <stdlib.h>

struct node {
  struct node *next;
  char *text;
};
struct stack {
  struct node *top;
  int count;
};
static struct node *head, *kept, *same;

static struct node *make(struct node *next, char *text) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->text = text;
  n->next = next;
  return n;
}

static void popAllOk(void) {
  struct node *n;
  while ((n = head)) {
    head = n->next;
    free(n);
  }
}
static void popParameterOk(struct node *list) {
  struct node *n;
  while ((n = list)) {
    list = n->next;
    free(n);
  }
}
static void popOutOk(struct node **list) {
  struct node *n;
  while ((n = *list)) {
    *list = n->next;
    free(n);
  }
}
static void popStackOk(struct stack *s) {
  struct node *n;
  while ((n = s->top)) {
    s->top = n->next;
    s->count--;
    free(n);
  }
}

static int flagOk(int how) {
  char *p = malloc(3);
  int isFreed = 0, result = 0;
  if (!p) return 1;
  if (how > 3) {
    free(p);
    isFreed = 1;
  }
  if (!isFreed) {
    p[0] = (char)how;
    result = p[0];
    free(p);
  }
  return result;
}
// The flag is tested behind other branches.
static int laterOk(int how, int other) {
  char *p = malloc(3);
  bool isFreed = false;
  int result = 0;
  if (!p) return 1;
  if (how > 3) {
    free(p);
    isFreed = true;
  }
  if (other > 3) result++;
  for (int i = 0; i < other; i++) result += i;
  if (!isFreed) {
    p[0] = (char)how;
    result = p[0];
    free(p);
  }
  return result;
}
static int flagBad(int how) {
  char *p = malloc(3);
  int isFreed = 0, result = 0;
  if (!p) return 1;
  if (how > 3) {
    free(p);
    isFreed = 1;
  }
  if (isFreed) {
    // CHECK-DAG: popped.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
    p[0] = (char)how;
    result = 1;
  } else {
    free(p);
  }
  return result;
}
// What is null where it is freed is not freed.
static int nullOk(char *given, int how) {
  char *p = NULL;
  if (how > 3) p = given;
  if (p == NULL) {
    free(p);
    return given[0];
  }
  return 1;
}

// The next node is read when this one is gone; what is read there may be any node, and is freed again.
static void popLateBad(void) {
  struct node *n;
  while ((n = kept)) {
    // CHECK-DAG: popped.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
    free(n);
    // CHECK-DAG: popped.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
    kept = n->next;
  }
}
// What is stored is what is freed.
static void popSameBad(void) {
  struct node *n = same;
  if (!n) return;
  same = n;
  // CHECK-DAG: popped.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  free(n);
}

int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    head = make(head, argv[i]);
    kept = make(kept, argv[i]);
  }
  same = make(NULL, argv[0]);
  if (argc > 4) popAllOk();
  popParameterOk(make(make(NULL, "a"), "b"));
  struct node *list = make(make(NULL, "c"), "d");
  popOutOk(&list);
  struct stack s = {make(make(NULL, "e"), "f"), 2};
  popStackOk(&s);
  popLateBad();
  popSameBad();
  popSameBad();
  // CHECK-DAG: popped.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free
  if (same && same->text) argc++;
  char *given = malloc(4);
  if (!given) return 1;
  given[0] = 1;
  argc += nullOk(given, argc);
  free(given);
  return flagOk(argc) + laterOk(argc, argc) + flagBad(argc);
}
