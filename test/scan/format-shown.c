// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without --all, a format is reported that is text which is read from outside, or an argument that main passes. What else the program keeps in
// memory, such as translations that it loads, may be its own.
// RUN: %fathom-cc -g %s -o %t && %fathom scan %t --kinds format-string --no-cache > %t.txt 2> %t.err && FileCheck %s < %t.txt
// CHECK-DAG: format-shown.c:25:{{[0-9]+}}: format-string
// CHECK-DAG: format-shown.c:29:{{[0-9]+}}: format-string
// CHECK: 2 reports: 2 format-string
// RUN: FileCheck %s --check-prefix=HIDDEN < %t.err
// HIDDEN: {{[1-9][0-9]*}} report{{s?}} not shown: conditions that could not be looked at together (--all)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *translations[2];
static const char *translated(int n) { return translations[n]; }
static void load(char **argv) {
  for (int i = 0; i < 2 && argv[i + 1]; i++) {
    char *copy = strdup(argv[i + 1]);
    if (!copy) exit(1);
    translations[i] = copy;
  }
}
int main(int argc, char **argv) {
  char line[80];
  if (argc < 2) return 1;
  printf(argv[1]); // shown
  load(argv);
  if (translations[1]) printf(translated(1));
  if (!fgets(line, sizeof line, stdin)) return 2;
  printf(line); // shown
  return 0;
}
