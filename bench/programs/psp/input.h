/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Input of the programs of `./dev bench psp`: numbers from standard input, four bytes each, the
 * lowest first, or one byte. One that is not there ends the program.
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int number(void) {
  int n = 0;
  if (read(0, &n, sizeof n) != (int)sizeof n) exit(2);
  return n;
}

/* One byte of it: 0 to 255, less what the mask leaves out. */
static int small(int mask) {
  unsigned char n = 0;
  if (read(0, &n, 1) != 1) exit(2);
  return n & mask;
}

/* SYMBOLIC of the N elements are input, evenly spread; the others are numbers. */
#ifdef N
#ifndef SYMBOLIC
#define SYMBOLIC N
#endif
#ifndef ELEMENT
#define ELEMENT number()
#endif
static void fill(int *a) {
  for (int i = 0; i < N; i++) a[i] = (i * 7919 + 11) % 2003 - 1000;
  for (int i = 0; i < SYMBOLIC; i++) a[i * N / SYMBOLIC] = ELEMENT;
}

static void checkSorted(const int *a) {
  for (int i = 1; i < N; i++) assert(a[i - 1] <= a[i]);
}
#endif
