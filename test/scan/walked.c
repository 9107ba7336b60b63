// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of a library frees a member of each node of a list that others made: for all that is known, a node may be what was freed.
// That does not hide the use behind the loop, through another pointer.
// RUN: %fathom scan --all %s --kinds use-after-free | FileCheck %s
#include <stdlib.h>

struct node {
  struct node *next;
  char *text;
};

char walkedBad(struct node *list) {
  for (struct node *n = list; n; n = n->next) free(n->text);
  // CHECK: walked.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read; it was freed at {{.*}}walked.c:[[#@LINE-1]]
  return list->text[0];
}
