// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use after free and double free through calls, with their steps; what is right is not reported.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free | FileCheck %s
// RUN: sh %S/../cli/Inputs/fails.sh 1 %fathom scan --all %t --fail-on-findings
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom scan --all %t --kinds leak,lek 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: fathom: --kinds lek: expected use-after-free, double-free
#include <stdlib.h>

struct list {
  struct list *next;
  char *text;
};

// What this one returns is what it freed.
static char *drop(char *p) {
  free(p);
  return p;
}

char returnedBad(char *p) {
  char *dropped = drop(p);
  // CHECK: freed.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return dropped[0];
}

static void release(struct list *l) { free(l->text); }
static char first(const char *text) { return text[0]; }

char throughCallsBad(struct list *l) {
  char *kept = l->text;
  release(l);
  // CHECK: freed.c:[[#@LINE-5]]:{{[0-9]+}}: use-after-free: freed memory is read; it was freed at {{.*}}freed.c:[[#@LINE-6]]
  // CHECK-NEXT: 1. free frees the memory, in release
  // CHECK-NEXT: [[#@LINE-8]] | static void release(struct list *l) { free(l->text); }
  // CHECK-NEXT: |{{ +}}^
  // CHECK-NEXT: 2. release was called here and returns, in throughCallsBad
  // CHECK: 3. the freed pointer is passed to first, in throughCallsBad
  // CHECK: 4. freed memory is read, in first
  return first(kept);
}

void listOk(struct list *l) {
  while (l) {
    struct list *next = l->next;
    free(l);
    l = next;
  }
}

char clearedOk(struct list *l) {
  free(l->text);
  l->text = NULL;
  return l->text ? l->text[0] : 'a';
}

char flagOk(int wanted) {
  char *p = malloc(4);
  if (!p) return 0;
  p[0] = 'a';
  if (wanted) free(p);
  char c = wanted ? 'b' : p[0];
  if (!wanted) free(p);
  return c;
}

char *resizedOk(char *p) {
  char *larger = realloc(p, 100);
  if (!larger) {
    free(p);
    return NULL;
  }
  return larger;
}

// A realloc that fails frees nothing: where this returns -1, the list has its text.
static int grow(struct list *l) {
  char *larger = realloc(l->text, 200);
  if (!larger) return -1;
  l->text = larger;
  return 0;
}

char grownOk(struct list *l) {
  if (grow(l) < 0) return l->text[1];
  return l->text[0];
}

// What realloc returns is new in each round, through calls too.
static char *larger(char *p, size_t *bytes) {
  *bytes *= 2;
  char *out = realloc(p, *bytes);
  if (!out) exit(1);
  return out;
}

char repeatedOk(int n) {
  char *p = NULL;
  size_t bytes = 1;
  for (int i = 0; i < n; i++) {
    if (bytes < (size_t)i + 1) p = larger(p, &bytes);
    if (p) p[i] = 'a';
  }
  char c = p ? p[0] : 'b';
  free(p);
  return c;
}

// What is returned behind the free is not what was freed.
static struct list *make(int wanted) {
  struct list *l = calloc(1, sizeof *l);
  if (!l) exit(1);
  if (wanted) return l;
  free(l);
  return NULL;
}

void madeOk(int wanted) {
  struct list *l = make(wanted);
  if (!l) return;
  l->next = NULL;
  free(l);
}

void twiceBad(char *p, int n) {
  free(p);
  // CHECK: freed.c:[[#@LINE+1]]:{{[0-9]+}}: double-free: the memory is freed again
  if (n > 3) free(p);
}
// CHECK: 3 reports: 2 use-after-free, 1 double-free

static int replace(char ***where) {
  char **made = calloc(2, sizeof *made);
  if (!made) return 0;
  made[0] = (*where)[0];
  *where = made;
  return 1;
}

// What the program was started with is not what malloc gave, and cannot be what was freed.
char replacedOk(char **argv) {
  char **copy = argv;
  int isReplaced = replace(&copy);
  if (isReplaced) free(copy);
  return argv[0][0];
}

int main(int argc, char **argv) {
  struct list *l = calloc(1, sizeof *l);
  if (!l) return 1;
  l->text = malloc(10);
  int c = argc > 1 ? throughCallsBad(l) : clearedOk(l);
  listOk(l);
  twiceBad(malloc(3), argc);
  char *p = resizedOk(malloc(30));
  free(p);
  l = calloc(1, sizeof *l);
  if (l) c += grownOk(l);
  madeOk(argc);
  c += replacedOk(argv);
  c += repeatedOk(argc) + returnedBad(malloc(7));
  return c + flagOk(argc > 2);
}
