// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in one function that may free again what one call freed are one report, which lists them. Uses in one function are one report if
// they go through one pointer; another pointer has a report of its own.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 8 reports: 4 use-after-free, 4 double-free; with 4 further places that follow
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void drop(void *p) {
  int saved = errno;
  free(p);
  errno = saved;
}

void againBad(char *p, int n) {
  drop(p);
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: double-free: the memory is freed again; it was freed at {{.*}}joined.c:[[#@LINE-1]]
  if (n == 1) drop(p);
  if (n == 2) drop(p);
  if (n == 3) drop(p);
  // CHECK-DAG: follows at {{.*}}joined.c:[[#@LINE-10]]:3 in drop, {{.*}}joined.c:[[#@LINE-2]]:15, {{.*}}joined.c:[[#@LINE-1]]:15
}

struct pair {
  char *first, *second;
};
static void dropBoth(struct pair *p) {
  free(p->first);
  free(p->second);
}
char bothBad(struct pair *p) {
  dropBoth(p);
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  char c = p->first[0];
  c += p->first[1];
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  c += p->second[0];
  return c;
}

// Two pointers that one call gets are two.
char *copyBad(struct pair *p) {
  free(p->first);
  free(p->second);
  // CHECK-DAG: joined.c:[[#@LINE+2]]:{{[0-9]+}}: use-after-free: {{.*}}; it was freed at {{.*}}joined.c:[[#@LINE-2]]
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: {{.*}}; it was freed at {{.*}}joined.c:[[#@LINE-2]]
  return memcpy(p->first, p->second, 2);
}

// Two that are freed in one line again are two.
#define DROP_BOTH(p) (free((p)->first), free((p)->second))
void linesBad(struct pair *p) {
  free(p->first);
  free(p->second);
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: double-free
  DROP_BOTH(p);
}

// Each of these may be what the others are.
void rowBad(char **row) {
  free(row[0]);
  // CHECK-DAG: joined.c:[[#@LINE+1]]:{{[0-9]+}}: double-free: the memory is freed again; it was freed at {{.*}}joined.c:[[#@LINE-1]]
  free(row[1]);
  free(row[2]);
}

int main(int argc, char **argv) {
  (void)argv;
  againBad(malloc(4), argc);
  struct pair p = {strdup("ab"), strdup("cd")}, q = {strdup("ef"), strdup("gh")}, r = {strdup("ij"), strdup("kl")};
  if (!p.first || !p.second || !q.first || !q.second || !r.first || !r.second) return 1;
  linesBad(&q);
  copyBad(&r);
  char *row[3];
  for (int i = 0; i < 3; i++) row[i] = i > argc ? row[0] : malloc(5);
  rowBad(row);
  return bothBad(&p);
}
