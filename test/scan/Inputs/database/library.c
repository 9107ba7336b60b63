// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No program needs this: a library. Its arguments can be anything.
#include <assert.h>
#include <stdlib.h>
struct list {
  struct list *next;
  int value;
};
static struct list *last;
static int calls;
struct list *listPush(struct list *list, int value) {
  struct list *node = malloc(sizeof *node);
  if (!node) return list;
  node->next = list;
  node->value = value;
  last = node;
  calls++;
  return node;
}
int listLast(void) { return last ? last->value : 0; }
int listAverage(int sum, int count) {
  assert(count > 0);
  return sum / count;
}
static int hidden(int x) { return 7 / x; }
int listSeven(void) { return hidden(7); }
