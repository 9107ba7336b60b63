// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions that cannot be used safely (bad...), and their correct twins (good...), which
// have no report. A call through a pointer that may reach other functions needs --all.
//
// RUN: %fathom-cc -g -std=gnu99 -o %t %s
// RUN: %fathom scan %t --kinds dangerous-function --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 4 reports: 4 dangerous-function
// RUN: %fathom scan --all %t --kinds dangerous-function --no-cache > %t.all
// RUN: FileCheck %s < %t.all
// RUN: FileCheck %s --check-prefix=ALL < %t.all
// RUN: tail -n 1 %t.all | FileCheck %s --check-prefix=COUNT-ALL
// COUNT-ALL: 5 reports: 5 dangerous-function
// RUN: %fathom scan %t --kinds dangerous-function --no-cache --sarif %t.sarif > /dev/null
// RUN: grep -o 'external/cwe/cwe-676' %t.sarif
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void badLine(void) {
  char line[80];
  // CHECK-DAG: dangerous-function.c:[[# @LINE + 1]]:{{[0-9]+}}: dangerous-function: gets cannot be used safely: a longer line than its buffer overflows that; use fgets
  if (gets(line)) puts(line);
}
static void goodLine(void) {
  char line[80];
  if (fgets(line, sizeof line, stdin)) puts(line);
}

static void badName(void) {
  char name[] = "/tmp/fileXXXXXX";
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: dangerous-function: mktemp cannot be used safely
  puts(mktemp(name));
}
static void goodName(void) {
  char name[] = "/tmp/fileXXXXXX";
  const int fd = mkstemp(name);
  if (fd >= 0) close(fd);
}

static void badTemporary(void) {
  char name[L_tmpnam];
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: dangerous-function: tmpnam cannot be used safely
  if (tmpnam(name)) puts(name);
}
static void goodTemporary(void) {
  FILE *file = tmpfile();
  if (file) fclose(file);
}

// Through a pointer that is always that of the function, and through one that may be another's.
static void badPointer(void) {
  static char *(*const make)(char *) = tmpnam;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: dangerous-function: tmpnam cannot be used safely
  if (make(NULL)) puts("made");
}
static char *ownName(char *name) { return name; }
static void badChoice(int n) {
  char *(*make)(char *) = n > 2 ? ownName : tmpnam;
  // ALL-DAG: [[# @LINE + 1]]:{{[0-9]+}}: dangerous-function: tmpnam cannot be used safely
  if (make(NULL)) puts("made");
}
static void goodPointer(int n) {
  char *(*make)(char *) = n > 2 ? ownName : getenv;
  if (make("HOME")) puts("made");
}

int main(int argc, char **argv) {
  badLine();
  goodLine();
  badName();
  goodName();
  badTemporary();
  goodTemporary();
  badPointer();
  badChoice(argc);
  goodPointer(argc);
  return 0;
}
