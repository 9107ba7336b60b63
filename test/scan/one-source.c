// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows in four or more places from one source is one report, with the others as places that follow; three are three reports.
// RUN: %fathom-cc -g %s -o %t && %fathom scan %t --kinds null-dereference --no-cache > %t.txt && FileCheck %s < %t.txt
// CHECK: one-source.c:{{[0-9]+}}:{{[0-9]+}}: null-dereference: the null pointer is dereferenced; it is null since one-source.c:12
// CHECK: follows at {{.*}}one-source.c:{{.*}}one-source.c:{{.*}}one-source.c:
// CHECK: 4 reports: 4 null-dereference; with 3 further places that follow
#include <stdio.h>
#include <stdlib.h>
static int many[4], few[4];
static int *findMany(int i) {
  if (i < 0 || i > 3)
    return NULL; // the source of four
  return &many[i];
}
static int *findFew(int i) {
  if (i < 0 || i > 3) return NULL; // the source of three
  return &few[i];
}
static int one(int i) { return *findMany(i); }
static int two(int i) { return *findMany(i) + 1; }
static int three(int i) { return *findMany(i) + 2; }
static int four(int i) { return *findMany(i) + 3; }
static int five(int i) { return *findFew(i); }
static int six(int i) { return *findFew(i) + 1; }
static int seven(int i) { return *findFew(i) + 2; }
int main(void) {
  int i = getchar();
  return one(i) + two(i) + three(i) + four(i) + five(i) + six(i) + seven(i);
}
