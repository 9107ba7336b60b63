// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in memory that nothing writes, whatever their names are; a structure that is passed by value is written by the caller.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan --all %t --kinds uninitialized-read --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 2 reports: 2 uninitialized-read

struct large {
  int values[8];
};

int arrayBad(int i) {
  int values[4];
  // CHECK-DAG: undefined-memory.c:[[#@LINE+1]]:{{.*}} uninitialized-read
  return values[i & 3];
}

int namedBad(int i) {
  int parameters[4];
  // CHECK-DAG: undefined-memory.c:[[#@LINE+1]]:{{.*}} uninitialized-read
  return parameters[i & 3];
}

int passedOk(struct large parameter, int i) { return parameter.values[i & 7]; }

int main(int argc, char **argv) {
  struct large given = {{argc}};
  return arrayBad(argc) + namedBad(argc) + passedOk(given, argc);
}
