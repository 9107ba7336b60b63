// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=2 statuses=0 bugs= -- --entry apply --entry-memory lazy
// An unknown function pointer is taken for the functions that the call can mean, and not for those that read more arguments than it passes,
// or fewer: neither the program's own, nor malloc's relatives, which the engine itself executes.
#include <stdlib.h>

static int less(int n) { return n ^ 1; }
static int both(int a, int b) { return a ^ b; }
static int none(void) { return 6; }
void *(*resize)(void *, size_t) = realloc;
void *(*array)(size_t, size_t) = calloc;
int (*one)(int) = less;
int (*two)(int, int) = both;
int (*zero)(void) = none;

int apply(int (*f)(int), int n) {
  if (f(n) == 6) return 1;
  return 0;
}

int main(void) { return apply(one, 3) + two(1, 2) + zero() + (resize == NULL) + (array == NULL); }
