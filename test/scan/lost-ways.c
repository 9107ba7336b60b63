// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a bound leaves out of a long function does not hide what comes behind it, or what the function calls: defects (bad...) and correct twins.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}3 reports: 2 use-after-free, 1 null-dereference
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More statements than are executed in one function.
#define ONE if (a & 1) b ^= a; else a = a * 3 + b;
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

int isRead;

// All ways through it that are followed to their ends return at once.
static unsigned readAll(unsigned a, unsigned b) {
  if (isRead) return b;
  THOUSAND THOUSAND
  return a;
}

// A mistake of this function alone; its call is behind too much.
static int badUse(char *text) {
  if (text[0] != 'a') return 0;
  char *copy = malloc(4);
  if (!copy) exit(1);
  copy[0] = text[1];
  free(copy);
  // CHECK-DAG: lost-ways.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
  return copy[0];
}
// Null only if a caller passes it: none does.
static int goodUse(char *text) {
  if (text) return 0;
  return text[0];
}

// The library has the pointer to use it.
static char *badWords(char *line) {
  char *copy = malloc(8);
  if (!copy) exit(1);
  strcpy(copy, "a b");
  free(copy);
  // CHECK-DAG: lost-ways.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
  return strtok(copy, line);
}
static void goodWords(char *line) {
  char *copy = malloc(8);
  if (!copy) exit(1);
  free(copy);
  // Only printed.
  printf("%p %s\n", (void *)copy, line);
}

int main(int argc, char **argv) {
  puts(badWords(argv[0]) ? "word" : "none");
  goodWords(argv[0]);
  unsigned b = 3, a = 1;
  isRead = 0;
  a = readAll(argc, b);
  int *none = argc > 5 ? &argc : NULL;
  // CHECK-DAG: lost-ways.c:[[# @LINE + 1]]:{{[0-9]+}}: null-dereference
  if (argc < 3) a += *none;
  THOUSAND
  return badUse(argv[0]) + goodUse(argv[0]) + a + b;
}
