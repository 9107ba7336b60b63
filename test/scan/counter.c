// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter is no pointer, however wide it is: passing it on behind a free uses nothing that was freed.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 1 report: 1 use-after-free
#include <stdio.h>
#include <stdlib.h>

static struct {
  unsigned long total;
  char *last;
} memory;

static void *get(unsigned long n) {
  memory.total += n;
  return memory.last = malloc(n);
}

static void drop(void) { free(memory.last); }

int main(int argc, char **argv) {
  char *p = get(argc);
  if (!p) return 1;
  p[0] = 'x';
  drop();
  fprintf(stderr, "%lu bytes\n", memory.total);
  // CHECK: counter.c:[[#@LINE+1]]:{{.*}} use-after-free
  fputs(memory.last, stderr);
  return 0;
}
