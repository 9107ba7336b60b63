// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Null with an offset is null: as an argument that a library function reads, and as an address. What stands for no object is not.
//
// RUN: %fathom-cc -g -O1 -w -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}2 reports: 2 null-dereference
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct pair { long first, second; };

#define APART __attribute__((noinline))

APART static char *badWord(char *line) {
  if (line[0] == 'a') return line;
  line = NULL;
  // CHECK-DAG: null-offset.c:[[# @LINE + 1]]:{{[0-9]+}}: null-dereference
  return strtok(line + 1, " ");
}
// The next word of the text before.
APART static char *goodWord(char *line) {
  if (line[0] == 'a') return strtok(line, " ");
  return strtok(NULL, " ");
}

APART static long badMember(struct pair *p, int n) {
  if (n < 5) return p->first;
  p = NULL;
  // CHECK-DAG: null-offset.c:[[# @LINE + 1]]:{{[0-9]+}}: null-dereference
  return p->second;
}
APART static long goodMember(int n) {
  struct pair *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return n;
  return p->second;
}

int main(int argc, char **argv) {
  struct pair p = {argc, 2};
  signal(SIGINT, SIG_IGN);
  const char *first = badWord(argv[0]), *next = goodWord(argv[0]);
  printf("%s %s\n", first ? first : "none", next ? next : "none");
  return badMember(&p, argc) + goodMember(argc);
}
