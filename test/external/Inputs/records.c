/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What replayed test programs call and have no code of: structures that lead to each other, every
 * kind of register, system calls on the program's memory.
 */
#include "records.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sums up, counts visits through a pointer, and turns the tree round. */
double weigh(struct tree *t) {
  if (!t) return 0;
  double sum = t->inner.weight + weigh(t->left) + weigh(t->right);
  ++*t->inner.visits;
  t->inner.name[0] ^= 0x20;
  struct tree *left = t->left;
  t->left = t->right;
  t->right = left;
  return sum;
}

/* More arguments than there are registers, of all kinds. */
double mixed(signed char a, unsigned char b, short c, unsigned d, long e, float f, double g,
             const char *h, int i, int j, double k, double l, double m, double n, double o, double p,
             double q) {
  return a + 2.0 * b + 3.0 * c + 4.0 * d + 5.0 * (double)e + 6.0 * f + 7 * g + 8.0 * (double)strlen(h) +
         9.0 * i + 10.0 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q;
}
float half(float x) { return x / 2; }
signed char negative(signed char x) { return (signed char)-x; }

/* The kernel reads and writes the memory, before anything else has. */
long through_pipe(const char *from, char *to, unsigned long size) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  long n = write(ends[1], from, size);
  if (n >= 0) n = read(ends[0], to, size);
  close(ends[0]);
  close(ends[1]);
  return n;
}

/* Every byte of a large buffer, through memory of its own. */
unsigned reverse(unsigned char *bytes, unsigned long size) {
  unsigned char *copy = malloc(size);
  unsigned sum = 0;
  memcpy(copy, bytes, size);
  for (unsigned long i = 0; i < size; i++) sum += bytes[i] = copy[size - 1 - i];
  free(copy);
  return sum;
}

/* How often this program has called it. */
int calls(void) {
  static int count;
  return ++count;
}

int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}

long first(struct large value) { return value.words[0]; }
