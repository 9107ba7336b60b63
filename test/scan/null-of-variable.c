// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison of a variable's address with null says nothing of other uses of the variable. It is what inlining leaves of a function that checks
// its parameter.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds null-dereference --no-cache | FileCheck %s
#include <stdio.h>
struct job { int pid, flags; const char *name; };
static struct job only, many[4];
static void reap(int all) {
  struct job *j = &only;
  if (j && (j->flags || all)) j->pid = 0;
}
static void reapOne(int i) {
  struct job *j = &many[i & 3];
  if (j && j->flags) j->pid = 0;
}
static int reapGiven(struct job *j) {
  if (j && j->flags) printf("%d\n", j->pid);
  // CHECK: null-of-variable.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference:
  return j->pid;
}
int main(int argc, char **argv) {
  if (argc > 1) printf("%d %s %s\n", only.pid, only.name, many[argc & 3].name);
  reap(argc);
  reapOne(argc);
  return reapGiven(argc > 3 ? &only : argc > 2 ? &many[1] : NULL);
}
// CHECK: 1 report: 1 null-dereference
