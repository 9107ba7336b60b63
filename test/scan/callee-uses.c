// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function frees and a function that it calls then uses is a mistake of that function, also if no way from main to it was followed:
// defects (bad...) and correct twins (good...).
//
// RUN: %fathom-cc -g -O1 -w -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}5 reports: 3 use-after-free, 2 double-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

// More statements than are executed in one function.
#define ONE if (a & 1) b ^= a; else a = a * 3 + b;
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

struct row {
  struct row *next;
  char text[8];
};

struct shared {
  int count;
  char text[8];
};

int isVerbose, lines;
struct row **table;

// Read in a callee.
APART static int first(const char *text) {
  if (isVerbose) puts("first");
  // CHECK-DAG: callee-uses.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
  return text[0] + lines;
}
APART static int badRead(char *text) {
  if (text[0] != 'a') return 0;
  char *copy = malloc(4);
  if (!copy) exit(1);
  copy[0] = text[1];
  free(copy);
  return first(copy);
}
APART static int firstOfKept(const char *text) {
  if (isVerbose) puts("first");
  return text[0] + lines;
}
APART static int goodRead(char *text) {
  if (text[0] != 'a') return 0;
  char *copy = malloc(4);
  if (!copy) exit(1);
  copy[0] = text[1];
  int c = firstOfKept(copy);
  free(copy);
  return c;
}

// Freed again in a callee that does more than that.
APART static void destroy(struct row *r) {
  if (isVerbose) puts("destroy");
  lines--;
  // CHECK-DAG: callee-uses.c:[[# @LINE + 1]]:{{[0-9]+}}: double-free
  free(r);
}
APART static void badAgain(char *text) {
  struct row *r = calloc(1, sizeof *r);
  if (!r) exit(1);
  if (text[0] == 'b') {
    free(r);
    destroy(r);
  } else {
    free(r);
  }
}
APART static void destroyOnce(struct row *r) {
  if (isVerbose) puts("destroy");
  lines--;
  free(r);
}
APART static void goodAgain(char *text) {
  struct row *r = calloc(1, sizeof *r);
  if (!r) exit(1);
  if (text[0] == 'b')
    destroyOnce(r);
  else
    free(r);
}

// Two calls of one function, on the same list.
APART static void freeRow(struct row *r) {
  while (r) {
    // CHECK-DAG: callee-uses.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
    struct row *next = r->next;
    // CHECK-DAG: callee-uses.c:[[# @LINE + 1]]:{{[0-9]+}}: double-free
    free(r);
    r = next;
  }
}
APART static void badTable(char *text) {
  for (int i = 0; i < lines; i++) {
    freeRow(table[i]);
    freeRow(table[i]);
  }
}
APART static void freeOtherRow(struct row *r) {
  while (r) {
    struct row *next = r->next;
    free(r);
    r = next;
  }
}
APART static void goodTable(char *text) {
  for (int i = 0; i < lines; i++) {
    freeOtherRow(table[i]);
    table[i] = NULL;
    freeOtherRow(table[i]);
  }
}

// Freed in one callee, used in another.
APART static void drop(struct shared *s) {
  if (isVerbose) puts("drop");
  free(s);
}
APART static int lengthOf(struct shared *s) {
  // CHECK-DAG: callee-uses.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
  return s->count + lines;
}
APART static int badOther(struct shared *s, char *text) {
  if (text[0] == 'c') drop(s);
  return lengthOf(s);
}
// Callers that have a reference of their own know that the last one is not gone.
APART static void release(struct shared *s) {
  if (--s->count == 0) free(s);
}
APART static int lengthOfKept(struct shared *s) { return s->count + lines; }
APART static int goodOther(struct shared *s) {
  release(s);
  return lengthOfKept(s);
}
// Freed only if it is null, which frees nothing.
APART static int goodNull(struct shared *s, struct row *r) {
  if (!r) drop(s);
  return r ? lengthOfKept(s) : 0;
}

int main(int argc, char **argv) {
  unsigned b = 3, a = argc;
  THOUSAND
  struct shared *s = calloc(1, sizeof *s), *t = calloc(1, sizeof *t);
  table = calloc(argc, sizeof *table);
  if (!s || !t || !table) exit(1);
  lines = argc;
  for (int i = 0; i < argc; i++) table[i] = calloc(1, sizeof **table);
  t->count = 2;
  a += badRead(argv[0]) + goodRead(argv[0]);
  badAgain(argv[0]);
  goodAgain(argv[0]);
  badTable(argv[0]);
  goodTable(argv[0]);
  a += badOther(s, argv[0]) + goodOther(t) + goodNull(t, table[0]);
  return a + b;
}
