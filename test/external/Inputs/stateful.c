/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library with a state: handles of its own, a count, and memory that it was given and keeps.
 */
#include <stdlib.h>

struct box {
  int sum, adds;
};
struct box *box_new(int first) {
  struct box *box = malloc(sizeof *box);
  box->sum = first;
  box->adds = 0;
  return box;
}
void box_add(struct box *box, int value) {
  box->sum += value;
  box->adds++;
}
int box_sum(const struct box *box) { return box->sum; }
int box_adds(const struct box *box) { return box->adds; }

static int calls;
int ticket(void) { return ++calls; }

static const unsigned char *kept;
void keep(const unsigned char *memory) { kept = memory; }
int peek(int place) { return kept[place]; }

const char *version(void) { return "one"; }
