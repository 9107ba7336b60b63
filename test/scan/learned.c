// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls say of each other, what is freed in front of a pointer, and what is open on no path. Each defect beside its correct twin.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}4 reports: 2 null-dereference, 1 handle-leak, 1 invalid-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A character that strchr found is found by strrchr, too.
static int lastBad(char *path) {
  if (!strchr(path, ':')) return 0;
  // CHECK-DAG: learned.c:[[@LINE+1]]:{{.*}} null-dereference
  return strrchr(path, '/')[1];
}
static int lastGood(char *path) {
  if (!strchr(path, '/')) return 0;
  return strrchr(path, '/')[1];
}
static int firstBad(char *path) {
  if (path[0] != ':') return 0;
  // CHECK-DAG: learned.c:[[@LINE+1]]:{{.*}} null-dereference
  return strrchr(path, '/')[1];
}
static int firstGood(char *path) {
  if (path[0] != '/') return 0;
  return strrchr(path, '/')[1];
}

// An array that is preceded by its length.
static int *numbers(long count) {
  long *block = malloc(2 * sizeof(long) + count * sizeof(int));
  if (!block) exit(1);
  block[0] = count;
  return (int *)(block + 2);
}
static void releaseBad(int *array) {
  // CHECK-DAG: learned.c:[[@LINE+1]]:{{.*}} invalid-free: free of an address 8 bytes behind the start of a block
  free((long *)array - 1);
}
static void releaseGood(int *array) { free((long *)array - 2); }

// A file that is not open on one path, and closed on the other.
static int openBad(const char *name, int level, int isStrict) {
  FILE *file = name[0] == '-' ? stdin : fopen(name, isStrict ? "r" : "rb");
  if (level > 2) printf("%s %s\n", name, file ? "" : "not found");
  if (!file) return 1;
  int c = getc(file);
  if (c == 'x') {
    // CHECK-DAG: learned.c:[[@LINE+1]]:{{.*}} handle-leak
    return 2;
  }
  fclose(file);
  return c;
}
static int openGood(const char *name, int level, char *line) {
  FILE *file;
  if (name[0] != '-' || name[1]) {
    if (level) {
      strcpy(line, name);
      file = line[0] == 'x' ? NULL : fopen(line, "rb");
    } else {
      file = fopen(name, "rb");
    }
  } else {
    file = stdin;
  }
  if (level > 2) printf("%s %s\n", name, file ? "" : "not found");
  if (!file) return 1;
  int c = getc(file);
  if (file != stdin) fclose(file);
  return c;
}

int main(int argc, char **argv) {
  static char line[4096];
  int sum = lastGood(argv[1]) + firstGood(argv[2]) + openGood(argv[3], argc, line);
  int *good = numbers(argc), *bad = numbers(argc);
  releaseGood(good);
  releaseBad(bad);
  return sum + lastBad(argv[4]) + firstBad(argv[5]) + openBad(argv[6], argc, argv[7][0]);
}
