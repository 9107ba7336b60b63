// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one call of malloc makes is one object where control comes there once, and several elsewhere, and each call of a wrapper has its
// own; bytes that are written as one number and read as another; remainders that a branch tests.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --assertions -v --no-cache 2>/dev/null | grep "assertion '" | FileCheck %s
#include <assert.h>
#include <stdlib.h>

struct point {
  int x, y;
};
union word {
  unsigned number;
  unsigned char bytes[4];
};

static int *make(int value) {
  int *p = malloc(sizeof *p);
  if (!p) exit(1);
  *p = value;
  return p;
}

static void once(int *where) { *where = 7; }

static struct point moved(struct point p, int by) {
  p.x += by;
  return p;
}

int main(int argc, char **argv) {
  int *one = malloc(sizeof *one);
  if (!one) return 1;
  once(one);
  *one = 8;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion '*one == 8'
  assert(*one == 8);
  int *a = make(1), *b = make(2);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion '*a == 1'
  assert(*a == 1);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion '*b > 0'
  assert(*b > 0);
  int *row[3];
  for (int i = 0; i < 3; i++) {
    row[i] = malloc(sizeof(int));
    if (!row[i]) return 1;
    *row[i] = i;
  }
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: alarm: assertion '*row[0] == 0'
  assert(*row[0] == 0);
  union word w = {0x01020304};
  w.bytes[0] = (unsigned char)argc;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'w.number >> 8 == 0x010203'
  assert(w.number >> 8 == 0x010203);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: alarm: assertion 'w.bytes[0] == 4'
  assert(w.bytes[0] == 4);
  struct point p = {1, 2};
  p = moved(p, argc > 3);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'p.x <= 2 && p.y == 2'
  assert(p.x <= 2 && p.y == 2);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: alarm: assertion 'p.x == 1'
  assert(p.x == 1);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'argc != -7'
  if (argc % 4 == 1) assert(argc != -7);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: alarm: assertion 'argc != 9'
  if (argc % 4 == 1) assert(argc != 9);
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'argc % 4 == -3'
  if (argc % 4 == -3) assert(argc % 4 == -3);
  return 0;
}
