// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions like xmalloc return has, for each call of theirs, a size and contents of its own, also where calls share one analysis:
// they call each other, check the result elsewhere, keep a header, and their sizes are products.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --no-cache --kinds out-of-bounds-read,out-of-bounds-write > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// RUN: %fathom scan %t --no-cache --assertions -v 2>/dev/null | FileCheck %s --check-prefix=PROVED
// RUN: %fathom scan %t --no-cache --assertions --call-depth 0 2>/dev/null | FileCheck %s --check-prefix=SHARED
// COUNT: 4 reports: 4 out-of-bounds-write
#include <assert.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

static void *checked(void *p) {
  if (!p) exit(1);
  return p;
}
static void *xmalloc(size_t bytes) { return checked(malloc(bytes)); }
static void *xnmalloc(size_t count, size_t bytes) { return xmalloc(count * bytes); }
static char *withHeader(size_t bytes) {
  size_t *p = xmalloc(bytes + sizeof *p);
  *p = bytes;
  return (char *)(p + 1);
}
static void *xrealloc(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (!p && bytes) exit(1);
  return p;
}

int main(int argc, char **argv) {
  char *small = xmalloc(4), *large = xmalloc(100);
  int *row = xnmalloc(10, sizeof *row);
  char *text = withHeader(8);
  struct pair *one = xmalloc(sizeof *one), *two = xmalloc(sizeof *two);
  large[50] = 1;
  row[9] = 1;
  text[7] = 1;
  text[-8] = 1;
  one->first = 1;
  two->first = 2;
  // PROVED: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'one->first == 1 && two->first == 2'
  assert(one->first == 1 && two->first == 2);
  // CHECK-DAG: wrapper-sizes.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte is outside
  // CHECK-DAG: at offset 4 in the memory of xmalloc at line [[#@LINE-13]] (4 bytes)
  if (argc == 1) small[4] = 1;
  // CHECK-DAG: wrapper-sizes.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-write: write of 4 bytes is outside
  // CHECK-DAG: at offset 40 in the memory of xnmalloc at line [[#@LINE-15]] (40 bytes)
  if (argc == 2) row[10] = 1;
  // CHECK-DAG: wrapper-sizes.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte is outside
  // CHECK-DAG: at offset 16 in the memory of withHeader at line [[#@LINE-17]] (16 bytes)
  if (argc == 3) text[8] = 1;
  large = xrealloc(large, 200);
  large[199] = 1;
  // CHECK-DAG: wrapper-sizes.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte is outside
  // CHECK-DAG: at offset 200 in the memory of xrealloc at line [[#@LINE-3]] (200 bytes)
  if (argc == 4) large[200] = 1;
  return 0;
}
// SHARED: accesses: {{.*}}, 0 alarms, 4 definite
