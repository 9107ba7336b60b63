// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A null pointer as an argument of a library function is the function's own mistake if it is set to null there, whatever lists of callers hold.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}2 reports: 2 null-dereference
#include <stdio.h>
#include <string.h>

static const char *const words[] = {"exit", "quit", NULL};

static int isCommand(const char *text) {
  const char *const *word;
  for (word = words; *word; word++)
    if (!strcmp(text, *word)) return 1;
  text = NULL;
  // CHECK-DAG: null-argument.c:[[#@LINE+1]]:{{.*}} null-dereference
  return !strncmp(text, "search", 6);
}

static int isCommandGood(const char *text) {
  const char *const *word;
  for (word = words; *word; word++)
    if (!strcmp(text, *word)) return 1;
  return !strncmp(text, "search", 6);
}

static char *next(char *line) {
  if (!line[0]) return line;
  return strtok(NULL, " ");
}

static char *find(int c) {
  // CHECK-DAG: null-argument.c:[[#@LINE+1]]:{{.*}} null-dereference
  return strchr(NULL, c);
}

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  printf("%d %d\n", isCommand(argv[1]), isCommandGood(argv[1]));
  switch (argc) {
  case 3: puts(next(argv[1]) ? "next" : "none"); break;
  case 5: puts(find(argv[1][0]) ? "found" : "none"); break;
  }
  return 0;
}
