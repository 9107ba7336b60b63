// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global variable that begins at zero and only counts up is never below zero: where the number after it is compared as unsigned, it is
// no -1. One that also counts down may be.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan %t --kinds out-of-bounds-write > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 1 report: 1 out-of-bounds-write
#include <stdio.h>

static int entries[256], others[256];
static size_t next, level;

// Recursive calls are not followed: they may have written the variables.
static int count(int n) {
  if (n == 3) next++;
  if (n == 4) level++;
  return n > 0 ? count(n - 1) : n;
}

void fillOk(FILE *f) {
  char line[81];
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') continue;
    entries[next] = line[0];
    next++;
    if (next >= 256) {
      fputs("too many", stderr);
      break;
    }
  }
}

void fillBad(FILE *f) {
  char line[81];
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') {
      level--;
      continue;
    }
    // CHECK: counted-up.c:[[#@LINE+1]]:{{.*}} out-of-bounds-write: write of 4 bytes at offset down to -4 of an object of 1,024 bytes
    others[level] = line[0];
    level++;
    if (level >= 256) {
      fputs("too many", stderr);
      break;
    }
  }
}

int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  if (!f) return 1;
  count(argc);
  if (argc > 2) fillOk(f);
  else fillBad(f);
  fclose(f);
  return entries[0] + others[0];
}
