// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a function write all of what its parameter points to? One that calls itself with the next element asks that of another offset each time.
// RUN: %fathom-cc -g %s -o %t && %fathom scan --all %t --no-cache --kinds use-after-free,null-dereference | FileCheck %s
#include <stdlib.h>
struct Node {
  int *value;
};
static void clear(struct Node *nodes, int n) {
  if (n) clear(nodes + 1, n - 1);
  else nodes->value = NULL;
}
static void clearFirst(struct Node *nodes, int n) {
  if (!n) return;
  clearFirst(nodes + 1, n - 1);
}
int afterClear(struct Node *nodes, int n) {
  free(nodes[0].value);
  clear(nodes, n);
  // CHECK-DAG: recursive-parameter.c:[[#@LINE+1]]:{{.*}}use-after-free
  return nodes[0].value ? *nodes[0].value : 0;
}
int afterNothing(struct Node *nodes, int n) {
  free(nodes[0].value);
  clearFirst(nodes, n);
  // CHECK-DAG: recursive-parameter.c:[[#@LINE+1]]:{{.*}}use-after-free
  return *nodes[0].value;
}
int main(int argc, char **argv) {
  struct Node nodes[4] = {{malloc(4)}, {malloc(4)}, {malloc(4)}, {malloc(4)}};
  return argc > 1 ? afterClear(nodes, argc) : afterNothing(nodes, argc);
}
