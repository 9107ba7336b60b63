// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Reads and writes of freed heap memory, of a list node, through a pointer kept after realloc, and of a local variable of a
// function that has returned.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  int value;
  struct node *next;
};

static int readFreed(int c) {
  int *p = malloc(sizeof *p);
  *p = c;
#ifdef FIXED
  int r = *p;
  free(p);
  return r;
#else
  free(p);
  return *p; // BUG use-after-free
#endif
}
static void writeFreed(int c) {
  char *p = malloc(4);
  if (c == 'x')
    free(p);
#ifdef FIXED
  if (c != 'x')
#endif
  p[1] = 'a'; // BUG use-after-free
  if (c != 'x')
    free(p);
}
static int list(int c) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i, n->next = head, head = n;
  }
  int sum = 0;
  for (struct node *n = head, *next; n; n = next) {
    sum += n->value;
    next = n->next;
    if (n->value != c)
      free(n);
#ifdef FIXED
    else
      free(n), c = -1;
#else
    else {
      free(n);
      sum += n->value; // BUG use-after-free
    }
#endif
  }
  return sum;
}
static int moved(int c) {
  char *p = malloc(8), *at = p + 1;
  strcpy(p, "abc");
  if (c == 'g') {
    p = realloc(p, 4096);
#ifdef FIXED
    at = p + 1;
#endif
  }
  int r = *at; // BUG use-after-free
  free(p);
  return r;
}
static int *escape(int c) {
  int local = c;
  int *volatile p = &local;
  return p;
}
static int returned(int c) {
#ifdef FIXED
  return c;
#else
  int *p = escape(c);
  return *p; // BUG use-after-free
#endif
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'r': return readFreed(in[1]) > 5;
  case 'w': writeFreed(in[1]); break;
  case 'l': return list(in[1]);
  case 'm': return moved(in[1]);
  case 's': return returned(in[1]) > 9;
  }
  return 0;
}
