// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls are skipped where static analysis says what is so afterwards. What a path shows that skipped some is looked for again with all of them.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif APART DEPENDS CAN WRITES ODD ERRNO POINTER PASSED INSIDE
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --unbounded-time 0 --json -q > skipped.json
// RUN: python3 %S/Inputs/verdicts.py skipped.json APART=refuted DEPENDS=refuted CAN=possible WRITES=possible ODD=refuted ERRNO=possible POINTER=possible PASSED=possible INSIDE=possible
// The loop of a call that is executed meets its bound.
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --unbounded-time 0 --json -q --calls step-in --no-slice > inside.json
// RUN: python3 %S/Inputs/verdicts.py inside.json APART=open:loop-bound DEPENDS=refuted CAN=possible WRITES=possible ODD=refuted ERRNO=possible POINTER=possible PASSED=possible INSIDE=possible
// Skipped without regard to what they do: nothing is refuted that a call could make true, and what is confirmed was executed.
// RUN: %fathom confirm p --no-questions --reports p.sarif --callers-time 0 --unbounded-time 0 --json -q --calls no-step-in > outside.json
// RUN: python3 %S/Inputs/verdicts.py outside.json APART=open:other CAN=possible WRITES=possible POINTER=possible
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int *made(void) {
  int *p = malloc(4);
  if (!p) exit(1);
  *p = 1;
  return p;
}
static unsigned digest(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 ^ (unsigned)*s++;
  return h;
}
int apart(const char *s) {
  int *p = made();
  unsigned h = digest(s);
  if (h < 7 && h > 7) free(p); // APART: source
  return *p; // APART
}
static int bit(int x) { return x & 1; }
int depends(int x) {
  int *p = made();
  if (bit(x) == 2) free(p); // DEPENDS: source
  return *p; // DEPENDS
}
int can(int x) {
  int *p = made();
  if (bit(x) == 1) free(p); // CAN: source
  return *p; // CAN
}
static int counter;
static void count(int x) { counter = x * 2 + 1; }
int writes(int x) {
  int *p = made();
  counter = 0;
  count(x);
  if (counter == 5) free(p); // WRITES: source
  return *p; // WRITES
}
int odd(int x) {
  int *p = made();
  counter = 0;
  count(x);
  if (counter == 4) free(p); // ODD: source
  return *p; // ODD
}
static void removes(const char *name) { unlink(name); }
int error(void) {
  int *p = made();
  errno = 0;
  removes("no such file");
  if (errno == ENOENT) free(p); // ERRNO: source
  return *p; // ERRNO
}
static void put(int *at, int x) { *at = x; }
int pointer(int x) {
  int *p = made(), y = 0;
  put(&y, x);
  if (y == 3) free(p); // POINTER: source
  return *p; // POINTER
}
int passed(int x) {
  int *p = made();
  if (x == 3) free(p); // PASSED: source
  return (int)strlen((char *)p); // PASSED
}
static int sizeOf(const char *s) { return (int)strlen(s); }
int inside(int x) {
  int *p = made();
  if (x == 3) free(p); // INSIDE: source
  return sizeOf((char *)p); // INSIDE
}
int main(int argc, char **argv) {
  return apart(argv[0]) + depends(argc) + can(argc) + writes(argc) + odd(argc) + error() + pointer(argc) + passed(argc) + inside(argc);
}
