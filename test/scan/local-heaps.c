// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom scan %t --no-cache --print local-heaps > %t.out
// RUN: grep -E "^[a-z]+: [^ ]*:[0-9]+:" %t.out | sed 's/: [^ ]*local-heaps.c/: local-heaps.c/' | sort > %t.reports
// RUN: FileCheck %s --input-file %t.reports
// RUN: wc -l < %t.reports | grep -x 4
//
// Local heaps: what a callee allocates and frees is its caller's at each call, under the conditions under which it happens. Each function that
// has a defect has a twin without.
#include <stdlib.h>

struct text {
  char *bytes;
  int length;
};

static void release(struct text *t) { free(t->bytes); }

// CHECK-DAG: {{^}}must: local-heaps.c:[[#@LINE+3]]:{{[0-9]+}}: use-after-free
static int used_later(struct text *t) {
  release(t);
  return t->bytes[0];
}
static int cleared(struct text *t) {
  release(t);
  t->bytes = 0;
  return t->bytes ? t->bytes[0] : 0;
}

static char *make(int n) {
  char *p = malloc(n);
  if (!p) return 0;
  p[0] = 0;
  return p;
}

// CHECK-DAG: {{^}}allocation: local-heaps.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
static void unchecked(int n) { char *p = make(n); p[0] = 1; free(p); }
static void checked(int n) {
  char *p = make(n);
  if (!p) return;
  p[0] = 1;
  free(p);
}

static void lost(int n) {
  char *p = make(n);
  if (!p) return;
// CHECK-DAG: {{^}}may: local-heaps.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  if (n > 3) return;
  free(p);
}
static void freed(int n) {
  char *p = make(n);
  if (!p) return;
  if (n > 3) {
    free(p);
    return;
  }
  free(p);
}

static int grow(char **p, int n) {
  char *q = realloc(*p, n);
  if (!q) return -1;
  *p = q;
  return 0;
}
static void moved(void) {
  char *p = malloc(3);
  if (!p) return;
  if (grow(&p, 100) < 0) {
    free(p);
    return;
  }
  p[40] = 1;
  free(p);
}

static void put(char *to, int i) { to[i] = 1; }
// CHECK-DAG: {{^}}must: local-heaps.c:[[#@LINE-1]]:{{[0-9]+}}: out-of-bounds-write
static void outside(void) { char small[4]; put(small, 7); }
static void inside(void) { char small[4]; put(small, 3); }

static void free_list(struct text **all, int n) {
  for (int i = 0; i < n; i++) free(all[i]);
  free(all);
}

int main(int argc, char **argv) {
  struct text a = {malloc(10), 10}, b = {malloc(10), 10};
  if (!a.bytes || !b.bytes) exit(1);
  int r = used_later(&a) + cleared(&b);
  unchecked(argc);
  checked(argc);
  lost(argc);
  freed(argc);
  moved();
  outside();
  inside();
  return r;
}
