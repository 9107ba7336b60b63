// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Control flow: dense and sparse switches at several widths, computed goto, loops, recursion, calls through pointers, goto.
#include <stdint.h>
#include <stdio.h>

static int dense(int x) {
  switch (x) {
  case 0: return 10;
  case 1: return 11;
  case 2:
  case 3: return 23;
  case 4: x += 5; /* fall through */
  case 5: return x * 2;
  case 6: return 66;
  case 7: return 77;
  default: return -1;
  }
}
static int sparse(long long x) {
  switch (x) {
  case -9000000000LL: return 1;
  case -1: return 2;
  case 1000: return 3;
  case 1001: return 4;
  case 0x123456789abcLL: return 5;
  case INT64_MAX: return 6;
  case INT64_MIN: return 7;
  }
  return 0;
}
static int wide(unsigned __int128 x) {
  switch (x) {
  case 5: return 1;
  case (unsigned __int128)1 << 100: return 2;
  case ((unsigned __int128)1 << 100) + 5: return 3;
  default: return 9;
  }
}
static int narrow(unsigned char x) {
  switch (x) {
  case 'a' ... 'f': return 1;
  case 'x': return 2;
  case 255: return 3;
  case 0: return 4;
  default: return 5;
  }
}
static int machine(const char *program) {
  static const void *const table[] = {&&add, &&sub, &&mul, &&halt};
  int acc = 1;
#define NEXT goto *table[*program++ & 3]
  NEXT;
add: acc += 7; NEXT;
sub: acc -= 2; NEXT;
mul: acc *= 3; NEXT;
halt: return acc;
}
static unsigned ackermann(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int twice(int (*f)(int), int x) { return f(f(x)); }
static int add3(int x) { return x + 3; }
static int mul5(int x) { return x * 5; }
static int (*choose(int which))(int) { return which ? add3 : mul5; }

int main(int argc, char **argv) {
  for (int i = -2; i < 10; i++) printf("%d ", dense(i));
  const long long s[] = {-9000000000LL, -1, 0, 1000, 1001, 1002, 0x123456789abcLL, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 9; i++) printf("%d ", sparse(s[i]));
  for (int i = 0; i < 7; i += 5) printf("%d %d ", wide((unsigned __int128)i), wide(((unsigned __int128)1 << 100) + (unsigned)i));
  for (int i = 0; i < 256; i += 5) printf("%d", narrow((unsigned char)i));
  puts("");
  const char program[] = {0, 2, 1, 2, 0, 3};
  printf("%d %u %d %d\n", machine(program), ackermann(2, 3), even(101), odd(77));
  int (*table[])(int) = {add3, mul5, choose(argc > 100), choose(1)};
  for (int i = 0; i < 4; i++) printf("%d ", twice(table[i], argc));
  int n = 0, k = 0;
again:
  for (int i = 0; i < 10; i++) {
    for (int j = i;; j++) {
      if (j % 3 == 0) break;
      if (j > 15) goto out;
      n += j;
    }
    if (i == 7) continue;
    n ^= i;
  }
out:
  if (++k < 3) goto again;
  do { n -= 7; } while (n > 50);
  while (n-- > 10) k++;
  printf("%d %d %d\n", n, k, (argc, argc > 2 ? 5 : 6));
  return n & 0x7f;
}
