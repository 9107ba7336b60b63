// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that callers made: structures unfold as far as a path walks them, a null pointer is one where the program asks, and two pointers can
// lead to one object.
// RUN: rm -rf %t.out && %fathom-cc -g %s -o %t
// RUN: %fathom explore %t --entry walk --entry-memory lazy -o %t.out --force | FileCheck %s --check-prefix=WALK
// WALK: 1 completed, 1 ended by a bug
// WALK: bugs {{ *}}1
// WALK-NEXT: null-dereference in walk
// RUN: %fathom explore %t --entry twice --entry-memory lazy -o %t.out --force | FileCheck %s --check-prefix=APART
// APART: bugs {{ *}}0
// RUN: %fathom explore %t --entry twice --entry-memory lazy-aliased -o %t.out --force | FileCheck %s --check-prefix=ALIASED
// ALIASED: use-after-free in twice
// Variables of the program are unknown too; those of libc are what they are, so that puts works.
// RUN: %fathom explore %t --entry usesGlobal --entry-memory lazy -o %t.out --force | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: 2 completed
// GLOBAL: bugs {{ *}}0
// A path that leaves the bytes that are looked at ends, and is no bug.
// RUN: %fathom explore %t --entry far --entry-memory lazy -o %t.out --force | FileCheck %s --check-prefix=FAR
// FAR: bugs {{ *}}0
// FAR: bound-size
// Two workers, and logs that are followed, come to the same paths.
// RUN: %fathom explore %t --entry sum --entry-memory lazy-aliased --jobs 2 --json -q -o %t.out --force > %t.two
// RUN: %fathom explore %t --entry sum --entry-memory lazy-aliased --json -q -o %t.out --force > %t.one
// RUN: python3 -c "import json; one, two = json.load(open('%t.one')), json.load(open('%t.two')); assert one['paths_completed'] == two['paths_completed'] > 1, (one['paths_completed'], two['paths_completed'])"
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom explore %t --entry-memory lazy 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: fathom: --entry-memory: needs --entry FUNCTION
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; char *text; int value; };
static int ready;

int walk(struct node *n) {
  if (n->next->next->text == NULL) puts("none");
  return *n->next->next->text;
}
int twice(struct node *a, struct node *b) {
  free(a->text);
  return b->text[0];
}
int usesGlobal(void) {
  puts("x");
  if (ready == 7) return 1;
  return 2;
}
int far(char *p) { return p[100000]; }
int sum(struct node *a, struct node *b, struct node *c) {
  a->value = 1;
  b->value = 2;
  c->value = 3;
  if (a->value == 3) return 1;
  if (b->value == 3) return 2;
  return a->value + b->value;
}
int main(int argc, char **argv) {
  struct node n = {&n, argv[0], argc};
  ready = argc;
  return walk(&n) + twice(&n, &n) + usesGlobal() + far(argv[0]) + sum(&n, &n, &n);
}
