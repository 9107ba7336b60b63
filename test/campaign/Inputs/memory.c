// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory errors, one for each first letter, that show natively only later, in free, or elsewhere.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  int value;
};

static void fill(char *to, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = 'x'; // OVERFLOW
}

static void overflow(void) {
  char *block = malloc(16);
  fill(block, 40);
  free(block);
}

static void freeTwice(void) {
  char *block = malloc(32);
  free(block);
  free(block); // TWICE
}

static void freeInside(void) {
  char *block = malloc(32);
  free(block + 8); // INSIDE
}

static void useFreed(void) {
  struct node *first = malloc(sizeof *first);
  first->next = first;
  free(first);
  while (first->next) // FREED
    first = first->next + 4096;
}

static void smash(size_t count) {
  char local[16];
  memset(local, 'x', count); // SMASH
}

/* Reads one byte too far, which does no harm, and then what is nowhere. */
static int readFar(void) {
  char *block = malloc(4), *nowhere = (char *)0x123456789000;
  if (block[4] == 'x') return 1;
  return *nowhere; // NOWHERE
}

int main(void) {
  char line[64];
  long length = read(0, line, sizeof line);
  if (length < 1) return 0;
  switch (line[0]) {
  case 'o': overflow(); break;
  case 't': freeTwice(); break;
  case 'i': freeInside(); break;
  case 'f': useFreed(); break;
  case 's': smash(200); break;
  case 'r': return readFar();
  default: break;
  }
  return 0;
}
