// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a widened number is known of the number: 28 and more is not zero, also where the zero is asked about in another
// function.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan %t --kinds out-of-bounds-read > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 1 report: 1 out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>

static void *xmalloc(size_t n) {
  if (n == 0) n = 1;
  void *p = malloc(n);
  if (!p) exit(1);
  return p;
}

static unsigned short word(const unsigned char *p) { return p[0] | p[1] << 8; }

int headOk(const unsigned char *header, FILE *f) {
  size_t n = word(header + 22);
  if (n < 28) return 0;
  unsigned char *b = xmalloc(n);
  int out = 0;
  if (fread(b, 1, n, f) == n) out = word(b);
  free(b);
  return out;
}

int headBad(const unsigned char *header, FILE *f) {
  size_t n = word(header + 22);
  if (n > 28) return 0;
  unsigned char *b = xmalloc(n);
  int out = 0;
  // CHECK: narrow-number.c:[[#@LINE+1]]:{{.*}} out-of-bounds-read: read of 1 byte at offset 1 of an object of 1 byte
  if (fread(b, 1, n, f) == n) out = b[1];
  free(b);
  return out;
}

int main(int argc, char **argv) {
  unsigned char header[64];
  if (fread(header, 1, sizeof header, stdin) != sizeof header) return 1;
  return argc > 1 ? headOk(header, stdin) : headBad(header, stdin);
}
