// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call through a pointer that may reach a function that frees: all that it passes is one report, which names the others. What calls by name
// pass has reports of its own.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds invalid-free --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 3 reports: 3 invalid-free
#include <stdio.h>
#include <stdlib.h>
typedef void (*hook)(void *, char *);
struct context { hook warn, drop; };
static void show(void *c, char *text) { puts(text); }
static void drop(void *c, char *p) {
  // CHECK-DAG: free-through-pointer.c:[[#@LINE+2]]:{{.*}} invalid-free: the variable given
  // CHECK-DAG: free-through-pointer.c:[[#@LINE+1]]:{{.*}} invalid-free: the variable other
  free(p);
}
static struct context *volatile current;
static char one[] = "one", two[] = "two", three[] = "three", given[4], other[4];
static void warn(char *text) { current->warn(current, text); }
int main(int argc, char **argv) {
  struct context c = {show, drop};
  if (argc > 5) c.warn = drop;
  current = &c;
  warn(one);
  warn(two);
  warn(three);
  // CHECK-DAG: the same from
  if (argc == 2) drop(&c, given);
  if (argc == 3) drop(&c, other);
  c.drop(&c, malloc(4));
  return 0;
}
