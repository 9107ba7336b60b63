// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that does nothing with its argument but pass it to free: its call is where memory is freed, as source and as sink, and the
// free inside is a step. What does more with its argument is looked into.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free,invalid-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 8 reports: 6 use-after-free, 1 double-free, 1 invalid-free; with 1 further place that follows
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void keepErrno(void *p) {
  int saved = errno;
  free(p);
  errno = saved;
}

static unsigned count;
static void counted(void *p) {
  if (!p) return;
  count++;
  keepErrno(p);
}

char readBad(char *p) {
  counted(p);
  // CHECK-DAG: free-wrappers.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read; it was freed at {{.*}}free-wrappers.c:[[#@LINE-1]]{{$}}
  return *p;
}

void twiceBad(char *p, int n) {
  keepErrno(p);
  // CHECK-DAG: free-wrappers.c:[[#@LINE+1]]:{{[0-9]+}}: double-free: the memory is freed again; it was freed at {{.*}}free-wrappers.c:[[#@LINE-1]]{{$}}
  if (n > 3) keepErrno(p);
}

void variableBad(void) {
  char text[4] = "abc";
  keepErrno(text);
}

static void shown(char *p) {
  puts(p);
  // CHECK-DAG: it was freed at {{.*}}free-wrappers.c:[[#@LINE+1]]{{$}}
  free(p);
}
char shownBad(char *p) {
  shown(p);
  return *p;
}

static void ifWanted(char *p, int wanted) {
  // CHECK-DAG: it was freed at {{.*}}free-wrappers.c:[[#@LINE+1]]{{$}}
  if (wanted) free(p);
}
char ifWantedBad(char *p, int wanted) {
  ifWanted(p, wanted);
  return *p;
}

// The step names the function in which the free is, of all that the pointer may call.
static char *kept;
static int nothing(void) { return 0; }
static int drop(void) {
  keepErrno(kept);
  return 1;
}
static int (*work)(void) = nothing;
char throughPointerBad(int wanted) {
  if (wanted) work = drop;
  work();
  // CHECK-DAG: {{[0-9]}}. drop was called here and returns, in throughPointerBad
  return *kept;
}

// Each of the functions frees another argument.
static void first(char *a, char *b) {
  (void)b;
  free(a);
}
static void second(char *a, char *b) {
  (void)a;
  free(b);
}
// One use for each function is told.
static char eitherRead(char *b) {
  // CHECK-DAG: free-wrappers.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return *b;
}
char eitherBad(int c) {
  char *a = malloc(4), *b = malloc(4);
  if (!a || !b) exit(1);
  void (*drops)(char *, char *) = c > 3 ? first : second;
  drops(a, b);
  // CHECK-DAG: free-wrappers.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read; it was freed at {{.*}}free-wrappers.c:[[#@LINE-1]]{{$}}
  if (c > 3) return *a;
  return eitherRead(b);
}

// What is narrower than a pointer is none, wherever it was read.
int narrowOk(void **slot) {
  char byte;
  keepErrno(*slot);
  return (int)read(*(int *)slot, &byte, 1);
}

// CHECK-DAG: 1. counted frees the memory, in readBad
// CHECK-DAG: 2. the pointer is passed to keepErrno, in counted
// CHECK-DAG: 3. the pointer is passed to free, in keepErrno
// CHECK-DAG: 4. freed memory is read, in readBad
// CHECK-DAG: follows at {{.*}}free-wrappers.c:16:3 in keepErrno

int main(int argc, char **argv) {
  void *slot = malloc(4);
  char *p = malloc(4), *q = malloc(5), *r = malloc(6), *s = malloc(7);
  if (!p || !q || !r || !s) return 1;
  kept = malloc(8);
  if (argc > 7) variableBad();
  twiceBad(q, argc);
  return readBad(p) + shownBad(r) + ifWantedBad(s, argc) + throughPointerBad(argc > 4) + narrowOk(&slot) + eitherBad(argc);
}
