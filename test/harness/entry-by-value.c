// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t.token bugs=use-after-free -- --entry token
// RUN: %explore %s %t.large paths_completed=3 statuses=0 bugs= -- --entry large
// RUN: %explore %s %t.two paths_completed=4 statuses=0 bugs= -- --entry two
// RUN: %explore %s %t.mixed paths_completed=4 statuses=0 bugs= -- --entry mixed
// RUN: %explore %s %t.wide paths_completed=3 statuses=0 bugs= -- --entry wide
// RUN: %explore %s %t.result paths_completed=2 statuses=0 bugs= -- --entry result
// RUN: %explore %s %t.fixed paths_completed=2 statuses=0 bugs= ledger=bound-size -- --entry fixed
// RUN: %explore %s %t.variable paths_completed=3 statuses=0 bugs= ledger=bound-size -- --entry variable
// RUN: %explore %s %t.lazy paths_completed=3 statuses=0 bugs= -- --entry large --entry-memory lazy
// RUN: %explore %s %t.lazy-result paths_completed=2 statuses=0 bugs= -- --entry result --entry-memory lazy
// --entry FUNCTION with parameters that are passed in memory: structures by value, several of them and after other parameters, numbers
// of more than 64 bits, the place of a result, arrays with a promised length, variable arguments. All are symbolic, and of the function's own.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct token { const char *text; long length; int line; };
static int token(struct token t) {
  char *p = malloc(2);
  if (!p) return 0;
  *p = 1;
  free(p);
  return *p + t.line;
}
struct table { int rows[6][8]; unsigned char last; };
static int large(struct table t) {
  t.rows[5][7] ^= 1; // its own copy
  if (t.rows[5][7] == 7) return 1;
  if (t.last == 200) return 2;
  return 3;
}
static int two(int n, struct token a, struct token b) {
  if (a.line == n && b.line == ~n && a.length != b.length) return 1;
  return 0;
}
typedef int lanes __attribute__((vector_size(64)));
struct pair { long a, b; };
static int mixed(struct table t, lanes v, long double d, struct pair small) {
  (void)d;
  if (v[15] == t.last) return 1;
  if (small.a > 5 && small.b == small.a - 1) return 2;
  return 3;
}
static int wide(unsigned __int128 n, struct table t) {
  if (n >> 100 == 5) return 1;
  if ((unsigned char)n == t.last) return 2;
  return 3;
}
static struct table result(int n) {
  struct table t;
  memset(&t, 0, sizeof t);
  t.last = n > 5;
  if (n > 5) t.rows[5][7] = n;
  return t;
}
static int fixed(const char text[static 100]) {
  if (text[99] == 'x') return 1;
  return 0;
}
static int variable(int n, ...) {
  va_list rest;
  va_start(rest, n);
  int a = va_arg(rest, int), sum = 0;
  for (int i = 0; i < 8; i++) sum |= va_arg(rest, int);
  double d = va_arg(rest, double);
  va_end(rest);
  (void)d;
  if (a == 3) return 1;
  if (sum == 64) return 2;
  return 3;
}

int main(int argc, char **argv) {
  struct token t = {argv[0], 1, argc};
  struct table u = result(argc);
  lanes v = {argc};
  struct pair small = {1, 2};
  return token(t) + large(u) + two(argc, t, t) + mixed(u, v, 1, small) + wide(1, u) + fixed(argv[0]) + variable(1, 2);
}
