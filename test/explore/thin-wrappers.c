// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bug in a wrapper of an allocator, or in what a header defines, is said to be in the function that called it: in the summary, in SARIF and
// in bug.json, which has the whole stack. A function that fills what it allocates is no wrapper.
// RUN: rm -rf %t.out && %fathom-cc -g %s -o %t && %fathom explore %t -o %t.out --sym-stdin 1 | FileCheck %s
// CHECK: bugs          4
// CHECK-DAG: leak in forgets at {{.*}}thin-wrappers.c:[[#]]
// CHECK-DAG: leak in filled at {{.*}}thin-wrappers.c:[[#]]
// CHECK-DAG: uninitialized-read in main at {{.*}}thin-wrappers.c:[[#]]
// CHECK-DAG: double-free in twice at {{.*}}thin-wrappers.c:[[#]]
// RUN: FileCheck %s --check-prefix=SARIF < %t.out/results.sarif
// SARIF-NOT: small.h",{{$}}
// SARIF-DAG: "name": "forgets"
// RUN: grep -h -A 8 '"function": "small_isspace"' %t.out/bugs/000001/bug.json %t.out/bugs/000002/bug.json %t.out/bugs/000003/bug.json %t.out/bugs/000004/bug.json | FileCheck %s --check-prefix=STACK
// STACK: "wrapper": true
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void die(void) {
  write(2, "no memory\n", 10);
  exit(3);
}

void *xmalloc(size_t size) {
  void *p = malloc(size);
  if (!p) die();
  return p;
}

char *xnew(size_t count) { return xmalloc(count * 2); }

void xfree(void *p) {
  if (p) free(p);
}

static void forgets(void) { xnew(4)[0] = 1; }

static void twice(void) {
  void *p = xmalloc(1);
  xfree(p);
  xfree(p);
}

struct pair {
  int first, second;
};

static struct pair *filled(int first) {
  struct pair *p = malloc(sizeof *p);
  if (!p) return 0;
  p->first = first;
  p->second = 0;
  return p;
}

#line 1 "small.h"
static inline int small_isspace(int c) { return c == ' ' || (unsigned)c - '\t' < 5; }
#line 63 "thin-wrappers.c"
int main(void) {
  char c = 0;
  int unwritten;
  read(0, &c, 1);
  if (c == 'a') forgets();
  if (c == 'b') twice();
  if (c == 'c') return small_isspace(unwritten);
  return c == 'd' && filled(c)->second;
}
