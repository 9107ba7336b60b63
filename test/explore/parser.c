// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// A recursive parser and evaluator of expressions over a small alphabet; errors end it.
enum { SIZE = 5, LIMIT = 8 };
#define BYTES_BELOW
#include "oracle.h"

static const unsigned char *at, *end;
static int failed;
static int expression(void);

static int primary(void) {
  if (at == end || failed) {
    failed = 1;
    return 0;
  }
  unsigned char c = *at++;
  if (c <= 2) // a digit
    return c;
  if (c == 3) { // an opening parenthesis
    int v = expression();
    if (at == end || *at != 4)
      failed = 1;
    else
      at++;
    return v;
  }
  if (c == 5) // minus
    return -primary();
  failed = 1;
  return 0;
}
static int expression(void) {
  int v = primary();
  while (!failed && at != end) {
    if (*at == 6)
      at++, v += primary();
    else if (*at == 7)
      at++, v *= primary();
    else
      break;
  }
  return v;
}
static int program(const unsigned char *in) {
  at = in, end = in + SIZE, failed = 0;
  int v = expression();
  if (failed || at != end)
    return 100;
  return v < 0 ? 50 - v : v;
}
