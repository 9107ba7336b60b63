/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory from malloc.
 */
#include "input.h"
struct node {
  int value;
  struct node *next;
};
static struct node *make(int value, struct node *next) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->value = value;
  n->next = next;
  return n;
}
int main(void) {
  int x = input(1, 9), *one = malloc(sizeof *one), i;
  if (!one) return 1;
  *one = x;
  assert(*one >= 1);
  assert(*one <= 9);
  assert(*one == 9);
  *one += 10;
  assert(*one > 10);
  int *row = calloc(5, sizeof *row);
  if (!row) return 1;
  assert(row[3] == 0);
  for (i = 0; i < 5; i++) row[i] = 3;
  assert(row[x % 5] == 0 || row[x % 5] == 3);
  assert(row[x % 5] == 3);
  assert(*one == x + 10);
  struct node *list = 0;
  for (i = 0; i < 3; i++) list = make(i, list);
  assert(list != 0);
  assert(list->value >= 0);
  assert(list->value <= 2);
  assert(list->value < 2);
  int length = 0;
  for (struct node *n = list; n; n = n->next) {
    assert(n->value < 3);
    length++;
  }
  assert(length >= 0);
  assert(length == 3);
  return 0;
}
