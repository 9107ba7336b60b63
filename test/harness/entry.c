// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=4 statuses=0 bugs= -- --entry classify
// RUN: %explore %s %t.bug bugs=division-by-zero,signed-overflow -- --entry divide
// RUN: %explore %s %t.vector paths_completed=3 statuses=0 bugs= -- --entry lanes
// RUN: %explore %s %t.pointers paths_completed=1 ledger=bound-size -- --entry first
// RUN: FileCheck %s <%t.pointers.out/ledger.json
// CHECK: parameter text is assumed to point to an object of its own of 64 bytes, never null (--entry)
// --entry FUNCTION: parameters are symbolic, main does not run.
#include <stdio.h>

int classify(int a, unsigned char b) {
  if (a < 0)
    return 1;
  if (b == 200)
    return 2;
  if (a > 1000)
    return 3;
  return 4;
}
int first(const char *text, int n) { return text[0] == n; }
int divide(long a, short b) { return (int)(a / b > 5); }
typedef unsigned char lanes16 __attribute__((vector_size(16)));
struct Mixed {
  float f;
  int i;
};
int lanes(lanes16 v, struct Mixed m) {
  if (v[1] + v[15] == 300)
    return 1;
  if (m.i == 5)
    return 2;
  return 3;
}

int main(void) {
  puts("main ran");
  return classify(1, 2) + divide(4, 2);
}
