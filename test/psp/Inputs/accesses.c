/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses to objects of all kinds, each of which some input puts outside. Reads three bytes: which
 * access, and two numbers for it.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int first, second; };
static char cells[8], others[8];
static jmp_buf back;

static int element(int i) { return cells[i]; }

static int pointed(const char *p, int i) { return p[i]; }
static int local(int i) {
  char text[6] = "abcde";
  return pointed(text, i);
}

static int block(unsigned n, unsigned i) {
  char *p = calloc(n, 1);
  if (!p) return 0;
  int c = p[i];
  free(p);
  return c;
}

static int member(struct pair *p) { return p->second; }

static int copy(const char *from, unsigned n) {
  char to[40];
  memcpy(to, from, n);
  return to[0];
}

static int after(const char *p, int i) { return p[i]; }
static void leave(char *p) {
  char own[4];
  memset(own, 1, sizeof own);
  p[0] = *others = *own;
  longjmp(back, 1);
}
static int resumed(int i) {
  char text[6] = "abcde";
  if (!setjmp(back)) leave(text);
  return after(text, i);
}

static int argument(const char *p, int i) { return p[i]; }

/* Counts back from an end, where another object may begin. */
static char *ends[2] = {cells + 8, others + 8};
static int backwards(int i) { return ends[i & 1][-1 - (i & 3)]; }

static int inside(int i) { return i < 8 ? cells[i] : 0; }

int main(int argc, char **argv) {
  int kind = getchar(), a = getchar(), b = getchar();
  if (kind < 0 || a < 0 || b < 0) return 1;
  struct pair here = {1, 2};
  switch (kind) {
  case 0: return element(a);
  case 1: return local(a);
  case 2: return block((unsigned)a, (unsigned)b);
  case 3: return member(a ? &here : NULL);
  case 4: return copy(cells, (unsigned)a);
  case 5: return resumed(a);
  case 6: return inside(a);
  case 8: return backwards(a);
  case 7: return argc ? argument(argv[0], a) : 0;
  }
  return 0;
}
