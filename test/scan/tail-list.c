// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list that is built at its tail has no name for a node but where the tail points. Its nodes are structures all the same: what one member
// holds, and nobody frees, is not taken for what another one holds, and was freed.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// RUN: %fathom scan %t --print points-to | FileCheck %s --check-prefix=SETS
// COUNT: 1 report: 1 use-after-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
  char *text, *copy;
  struct name *next;
};
static struct name *names, **end = &names;

static void *make(size_t bytes) {
  void *made = calloc(1, bytes);
  if (!made) exit(1);
  return made;
}

static void add(char *text) {
  *end = make(sizeof(struct name));
  (*end)->text = text;
  (*end)->copy = strdup(text);
  end = &(*end)->next;
  *end = NULL;
}

static void drop(void) {
  for (struct name *n = names; n; n = n->next) free(n->copy);
}

// SETS-LABEL: showOk
// SETS: load from {make@{{.*}}tail-list.c:27} yields {arguments}
static void showOk(void) {
  for (struct name *n = names; n; n = n->next) puts(n->text);
}
static void showBad(void) {
  // CHECK: tail-list.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is passed to puts
  for (struct name *n = names; n; n = n->next) puts(n->copy);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) add(argv[i]);
  showOk();
  drop();
  showOk();
  if (argc > 3) showBad();
  return 0;
}
