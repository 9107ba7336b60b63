// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three null dereferences for fathom scan: one is true, one is false, and one lies behind more paths than there is time for.
#include <stdlib.h>
int shown(int n) {
  int *p = NULL;
  if (n > 3) p = &n;
  if (n == 77) p = NULL;
  if (n == 77)
    return *p;
  return 0;
}
int wrong(int n) {
  int *p = NULL;
  int low = n & 255;
  if (low > 3) p = &n;
  int twice = low * 2;
  // Of numbers of which one follows from the other scan knows nothing.
  if (twice > 8) return *p;
  return 0;
}
int far(const char *text, int n) {
  int *p = NULL;
  if (n > 9) p = &n;
  unsigned sum = 0;
  for (int i = 0; i < 400; i++)
    if (text[i] > 'a') sum = sum * 31 + i;
  if (sum == 123456789) return *p;
  return n;
}
int main(int argc, char **argv) { return shown(argc) + wrong(argc) + far(argv[0], argc); }
