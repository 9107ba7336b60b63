// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an unwritten pointer, index, divisor or size leads to is no bug beside that it is unwritten.
// RUN: %explore %s %t --cc=-DPOINTER paths_completed=0 bugs=uninitialized-read:17
// RUN: %explore %s %t --cc=-DINDEX paths_completed=2 bugs=uninitialized-read:21
// RUN: %explore %s %t --cc=-DDIVISOR paths_completed=1 bugs=uninitialized-read:24
// RUN: %explore %s %t --cc=-DSHIFT paths_completed=1 bugs=uninitialized-read:27
// RUN: %explore %s %t --cc=-DCALL paths_completed=0 bugs=uninitialized-read:30
// RUN: %explore %s %t --cc=-DFREE paths_completed=1 bugs=uninitialized-read:33 ledger=concretized-value
// RUN: %explore %s %t --cc=-DSUM paths_completed=1 bugs=uninitialized-read:36
#include <stdlib.h>

int main(void) {
  static int table[4] = {0, 1, 1, 1};
  (void)table;
#if defined POINTER
  int *p;
  return *p;
#elif defined INDEX
  int i;
  (void)0;
  if (table[i]) return 1;
#elif defined DIVISOR
  int d;
  return 10 / d > 100;
#elif defined SHIFT
  int n;
  return (1 << n) == 0;
#elif defined CALL
  int (*f)(int);
  return f(1);
#elif defined FREE
  void *p;
  free(p);
#elif defined SUM
  int x;
  x++;
#endif
  return 0;
}
