// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that returns the memory on one way can lose it on another.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds leak > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 3 reports: 3 leak
#include <stdio.h>
#include <stdlib.h>

char *early(int n) {
  char *text = malloc(10);
  if (!text) return NULL;
  text[0] = 0;
  // CHECK-DAG: leak-returned.c:[[#@LINE+1]]:{{.*}} leak: memory is not freed
  if (n == 3) return NULL;
  return text;
}

char *earlyOk(int n) {
  char *text = malloc(10);
  if (!text) return NULL;
  text[0] = 0;
  if (n == 3) {
    free(text);
    return NULL;
  }
  return text;
}

FILE *twoFiles(const char *a, const char *b, char **name) {
  char *copy = malloc(20);
  if (!copy) return NULL;
  FILE *file = fopen(a, "r");
  // CHECK-DAG: leak-returned.c:[[#@LINE+1]]:{{.*}} leak: memory is not freed
  if (!file) return NULL;
  *name = copy;
  return file;
}

char *otherOne(int n) {
  char *text = malloc(10);
  if (!text) return NULL;
  // CHECK-DAG: leak-returned.c:[[#@LINE+1]]:{{.*}} leak: memory is not freed
  if (n > 3) return "none";
  return text + 1;
}

char *partOk(int n) {
  char *text = malloc(10), *at = text;
  if (!text) return NULL;
  if (n > 3) return at;
  if (n > 2) at = text;
  return n ? at : text;
}

static char *kept;

int main(int argc, char **argv) {
  char *name = NULL;
  char *a = early(argc), *b = earlyOk(argc), *c = otherOne(argc), *d = partOk(argc);
  FILE *file = twoFiles(argv[0], argv[0], &name);
  if (file) fclose(file);
  free(name);
  free(a);
  free(b);
  kept = c;
  free(d);
  return 0;
}
