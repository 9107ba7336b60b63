// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t.free --cc=-DFREE paths_completed=1 paths_terminated_early=1 bugs=invalid-free:42 ledger=allocation-failure -- --sym-stdin 8
// RUN: %explore %s %t.realloc --cc=-DREALLOC paths_completed=1 paths_terminated_early=1 bugs=invalid-free:46 ledger=allocation-failure -- --sym-stdin 8
// RUN: %explore %s %t.choice --cc=-DCHOICE paths_completed=2 statuses=0,1 bugs=invalid-free:52 ledger=allocation-failure -- --sym-stdin 9
// RUN: %explore %s %t.any --cc=-DANY paths_completed=3 statuses=0,1,2 paths_terminated_early=1 bugs=invalid-free:60 ledger=allocation-failure -- --check-leaks=0 --sym-stdin 8
// RUN: %explore %s %t.local --cc=-DLOCAL paths_completed=0 bugs=invalid-free:65 -- --sym-stdin 8
// RUN: %explore %s %t.freed --cc=-DFREED paths_completed=0 bugs=double-free:70 ledger=allocation-failure -- --sym-stdin 1
// RUN: %explore %s %t.call --cc=-DCALL paths_completed=2 statuses=3,4 paths_terminated_early=1 bugs=null-dereference:75 -- --sym-stdin 8
// RUN: %explore %s %t.wild --cc=-DWILD paths_completed=3 statuses=3,4 bugs=bad-call:80 -- --sym-stdin 8
// RUN: %explore %s %t.goto --cc=-DGOTO paths_completed=2 statuses=1,2 paths_terminated_early=1 bugs=bad-call -- --sym-stdin 8
// RUN: %explore %s %t.value --cc=-DVALUE paths_completed=4 statuses=0,1,2,3 paths_terminated_early=1 bugs=out-of-bounds-read:91 -- --sym-stdin 8
// RUN: %explore %s %t.jobs --cc=-DANY paths_completed=3 statuses=0,1,2 paths_terminated_early=1 bugs=invalid-free:60 ledger=allocation-failure -- --check-leaks=0 --sym-stdin 8 --jobs 2
//
// A symbolic pointer that is freed, called, jumped to, or to a structure that is passed by value: a path for each thing that it can mean, and one
// bug for all else.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long input(void) {
  long in = 0;
  read(0, &in, sizeof in);
  return in;
}

static double half(double x, int n) { return n + 0.5 < x ? 4 : 3; }
static double twice(double x, int n) { return 2 * x > n ? 4 : 3; }
static double third(double x, int n) { return n; }
double (*volatile table[])(double, int) = {half, twice};
// Not one that can be called in this way.
void (*volatile other)(double, double, double) = 0;
static void wrong(double a, double b, double c) { (void)(a + b + c); }

struct S {
  char c[64];
} structures[4] = {{{0}}, {{1}}, {{2}}, {{3}}};
static int first(struct S s) { return s.c[0]; }

#ifdef FREE
int main(void) {
  char *p = malloc(16);
  free(p + input()); // the bug
#elif defined REALLOC
int main(void) {
  char *p = malloc(16);
  free(realloc(p + input(), 32)); // the bug
#elif defined CHOICE
int main(void) {
  char *p = malloc(16), *q = malloc(16), c = 0;
  long at = input();
  read(0, &c, 1);
  free(c ? p + at : q); // the bug
  free(c ? q : p);
  return c != 0;
#elif defined ANY
int main(void) {
  char *p = malloc(16), *q = malloc(4000), *in = (char *)input();
  int status = in == p ? 1 : in == q ? 2 : 0; // a third is null
  if (!in) return 0;
  free(in); // the bug
  return status;
#elif defined LOCAL
int main(void) {
  char local[16];
  free(local + input()); // the bug
#elif defined FREED
int main(void) {
  char *p = malloc(16);
  free(p);
  free(p + (input() & 8)); // the bug
#elif defined CALL
int main(void) {
  double (*f)(double, int) = (double (*)(double, int))input();
  other = wrong;
  return f(1, 1); // the bug
#elif defined WILD
int main(void) {
  double (*f)(double, int) = (double (*)(double, int))input();
  other = wrong;
  return f ? f(1, 1) : 3; // the bug
#elif defined GOTO
int main(void) {
  void *volatile labels[] = {&&a, &&b};
  long at = input();
  goto *((char *)labels[0] + at); // the bug
a: return 1;
b: return 2;
#elif defined VALUE
int main(void) {
  long at = input();
  return first(structures[at]); // the bug
#endif
  return 0;
}
