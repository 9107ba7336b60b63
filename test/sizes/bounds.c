// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g %s -o %t
// RUN: rm -rf %t.out && %fathom explore %t --memory symbolic-size=64 -o %t.out | FileCheck %s
// What goes beyond a length that is a term, at one place for each way to do so, and nothing else.
// CHECK: bugs          6
// CHECK-DAG: out-of-bounds-read in one at
// CHECK-DAG: read of 1 byte at offset 4 of a 4-byte heap object of symbolic size
// CHECK-DAG: read of 1 byte at offset 6 of a {{[56]}}-byte heap object of symbolic size
// CHECK-DAG: out-of-bounds-write in indexed at
// CHECK-DAG: out-of-bounds-write in block at
// CHECK-DAG: out-of-bounds-read in word at
// CHECK-DAG: out-of-bounds-write in wrapped at
// What is beyond the capacity is a path of its own.
// RUN: FileCheck %s --check-prefix=LEDGER < %t.out/ledger.json
// LEDGER: concretized-value
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static size_t number(const char *name, size_t most) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, name);
  klee_assume(n <= most);
  return n;
}

static int one(const char *p, size_t n) {
  if (n > 3 && n < 9) return p[4] + p[6]; // of 4 to 8
  return n < 9 ? 0 : p[n - 1] + p[8];
}
static void indexed(char *p, size_t n, size_t at) {
  if (at <= n) p[at] = 1; // one too many
}
static void block(char *p, size_t n, size_t m) {
  if (m < n + 2) memset(p, 'b', m); // one too many
}
static int word(const char *p, size_t n) {
  int x = 0;
  if (n >= 6) memcpy(&x, p + n - 3, sizeof x); // one too many
  return x;
}
static void wrapped(char *p, size_t n) {
  if (n > 2) p[n - 1] = 0, p[n] = 0; // the second one
}

int main(void) {
  size_t n = number("n", 80);
  char *p = calloc(n, 1);
  switch (number("which", 4)) {
  case 0: n = (size_t)one(p, n); break;
  case 1: indexed(p, n, number("at", 100)); break;
  case 2: block(p, n, number("m", 50)); break;
  case 3: n = (size_t)word(p, n); break;
  default: wrapped(p, n);
  }
  free(p);
  return 0;
}
