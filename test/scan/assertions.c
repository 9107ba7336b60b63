// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts of the abstract interpreter: each assertion says in a comment what it gets.
// RUN: %fathom scan %s --assertions -v | FileCheck %s
// RUN: %fathom scan %s --assertions -v --domain octagons | FileCheck %s
// RUN: not %fathom scan %s --assertions --fail-on-findings > /dev/null
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int table[10];
static int large[1000];
static const int primes[] = {2, 3, 5, 7};
struct buffer {
  char *data;
  int length, offset;
};
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
static int twice(int x) { return 2 * x; }
static int negated(int x) { return -x; }
static int (*const kOperations[])(int) = {twice, negated};

static void loops(int n) {
  if (n < 0 || n > 10) return;
  int i;
  for (i = 0; i < n; i++)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: write of 4 bytes is inside
    table[i] = i * 2;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'i == n' holds
  assert(i == n);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: assertion 'i < 10' may fail
  assert(i < 10);
  for (int k = 0; k < 1000; k++)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: write of 4 bytes is inside
    large[k] = k % 7;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'large[n] < 7' holds
  assert(large[n] < 7);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: assertion 'large[n] < 6' may fail
  assert(large[n] < 6);
}

static void calls(int x) {
  int c = clamp(x, -5, 5);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'c >= -5 && c <= 5' holds
  assert(c >= -5 && c <= 5);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'kOperations[0](c) <= 10' holds
  assert(kOperations[0](c) <= 10);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: definite: assertion 'kOperations[1](7) == 7' fails
  assert(kOperations[1](7) == 7);
}

static void heap(int n) {
  if (n < 0 || n > 100) return;
  char *p = malloc(n + 1);
  if (!p) return;
  for (int j = 0; j <= n; j++)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: write of 1 byte is inside
    p[j] = 0;
  struct buffer b = {p, n, 0};
  while (b.offset < b.length) b.offset++;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'b.offset <= b.length' holds
  assert(b.offset <= b.length);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: write of 1 byte may be outside
  p[n + 1] = 0;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: write of 1 byte may be outside
  *(char *)malloc(1) = 0;
  free(p);
}

static void wraps(unsigned char x, unsigned n) {
  unsigned char y = x + 1;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: assertion 'y > x' may fail
  assert(y > x);
  unsigned m = n & ~3u;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'm % 4 == 0' holds
  assert(m % 4 == 0);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'm != 6' holds
  assert(m != 6);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: read of 4 bytes is inside
  unsigned q = primes[n % 4];
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'q >= 2 && q <= 7' holds
  assert(q >= 2 && q <= 7);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: division is defined
  n = n / q;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: alarm: division may be by zero or overflow
  n = n / (q - 5);
}

static void definite(void) {
  int small[4];
  memset(small, 0, sizeof small);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: proved: assertion 'small[2] == 0' holds
  assert(small[2] == 0);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: definite: memset is outside
  memset(small, 0, sizeof small + 1);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: unreachable: assertion 'small[1]' is never reached
  assert(small[1]);
}

int main(int argc, char **argv) {
  switch (argc % 5) {
  case 0: loops(argc); break;
  case 1: calls(argc); break;
  case 2: heap(argc); break;
  case 3: wraps(argc, argc); break;
  default: definite();
  }
}
