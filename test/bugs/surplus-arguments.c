// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize none
// RUN: %explore %s %t bugs=bad-call:19,bad-call:28 -- --sym-stdin 2
// Calls that pass an argument too many: by way of an old declaration, and through a pointer of another type.
// The argument is not looked at, and the program goes on.
#include <stdarg.h>
#include <unistd.h>

#ifdef FIXED
int one(int);
#else
int one();
#endif
static int direct(int c) {
#ifdef FIXED
  return one(c);
#else
  int r =
      one(c, 2, 3); // BUG bad-call
  return r;
#endif
}
static int plain(int a) { return a + 1; }
static int pointer(int c) {
#ifdef FIXED
  return plain(c);
#else
  int r = ((int (*)(int, int))plain)(c, 4); // BUG bad-call
  return r;
#endif
}
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int r = va_arg(list, int);
  va_end(list);
  return r;
}
static int fine(int c) {
  int (*volatile f)(int) = plain;
  int (*volatile v)(int, ...) = sum;
  return f(c) + v(1, c, 3) + sum(1, 2, 3, 4);
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'd': return direct(in[1]);
  case 'p': return pointer(in[1]);
  case 'o': return fine(in[1]);
  }
  return 0;
}
#ifdef FIXED
int one(int a) {
#else
int one(a)
int a;
{
#endif
  return a;
}
