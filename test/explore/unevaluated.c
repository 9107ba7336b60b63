// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=1 statuses=0
// RUN: fathom replay %t.program %t.out | FileCheck %s
// Operands that C does not evaluate: what they would read is not read.
// CHECK: branch traces {{ *}}all 1 agree
#include <stddef.h>

struct list {
  struct list *next;
  char *text;
};
int x[4];

static int ask(int i, struct list *p) {
  if (__builtin_constant_p(x[i])) return 1;
  if (__builtin_constant_p(p->next->text[i] + i)) return 2;
  __builtin_assume(x[i] > 3);
  if (__builtin_object_size(p->text, 0) != (size_t)-1) return 3;
  if (__builtin_object_size(p->text, 2) != 0) return 4;
  return 0;
}

int main(void) { return ask(123456, NULL); }
