// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Heap memory that nothing points to at the end: lost by a return, by overwriting, a whole list; what is still reachable is none.
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *next;
};
static void *keep;
static struct node *cycle;

static int early(int c) {
  char *p = malloc(10); // BUG leak
  if (c == 'e')
#ifdef FIXED
    return free(p), 1;
#else
    return 1;
#endif
  free(p);
  return 0;
}
static void overwritten(int c) {
  char *p = malloc(3); // BUG leak
#ifdef FIXED
  free(p);
#else
  if (c != 'o')
    free(p);
#endif
  p = malloc(4);
  free(p);
}
static void fine(int c) {
  keep = malloc(100);
  cycle = malloc(sizeof *cycle);
  cycle->next = malloc(sizeof *cycle);
  cycle->next->next = cycle;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'e': return early(in[1]);
  case 'o': overwritten(in[1]); break;
  case 'f': fine(in[1]); break;
  }
  return 0;
}
