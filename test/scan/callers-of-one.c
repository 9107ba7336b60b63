// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callers of one function that allocates lose blocks of their own: a report for each. A list that a function searches: that it finds nothing is nothing that a
// report rests on. A format that is only used for a number that the call does not pass. A block whose bytes were copied is still lost.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom scan %t --no-cache | FileCheck %s
// RUN: %fathom scan %t --no-cache --all --kinds null-dereference | FileCheck %s --check-prefix=FOUND
// RUN: %fathom scan %t --no-cache | tail -n 1 | FileCheck %s --check-prefix=COUNT
// COUNT: 3 reports: 2 leak, 1 format-string
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static size_t total;
static void *get(size_t bytes) {
  void *out = malloc(bytes);
  total += bytes;
  if (!out) exit(1);
  return out;
}
static int firstBad(void) {
  char *text = get(3);
  text[0] = 'a';
  // CHECK-DAG: callers-of-one.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  return text[0];
}
static void keep(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }
static int secondBad(int n, char *to) {
  char *text = get(30);
  memset(text, 'x', 30);
  keep(to, text, n & 15);
  // CHECK-DAG: callers-of-one.c:[[#@LINE+1]]:{{[0-9]+}}: leak
  return to[0];
}
static int ok(void) {
  char *text = get(3), *more = get(4), *most = get(5);
  text[0] = more[0] = most[0] = 'a';
  const int out = text[0] + more[0] + most[0];
  free(text);
  free(more);
  free(most);
  return out;
}
struct item {
  struct item *next;
  int kind, value;
};
static struct item *find(struct item *at, int kind) {
  while (at && at->kind != kind) at = at->next;
  return at;
}
// FOUND: callers-of-one.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
static int use(struct item *list) { return find(list, 3)->value; }
static void entry(char *to, const char *pattern, int generates) {
  if (generates)
    sprintf(to, pattern, 7);
  else
    memcpy(to, pattern, 4);
}
int main(int argc, char **argv) {
  char to[40];
  struct item last = {NULL, 3, argc}, list = {&last, 1, 2};
  entry(to, argv[1], 0);
  entry(to, "f%d", 1);
  // CHECK-DAG: callers-of-one.c:[[#@LINE+1]]:{{[0-9]+}}: format-string
  if (argc > 2) entry(to, argv[2], 1);
  for (int i = 3; i < argc; i++) {
    struct item *made = get(sizeof *made);
    *made = (struct item){last.next, i, i};
    last.next = made;
  }
  printf("%s %d %d %d %d\n", to, firstBad(), secondBad(argc, to), ok(), use(&list));
  exit(0);
}
