// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion does not make many bugs of one, however deep; and where one place goes wrong under very many stacks, some have a report
// and the ledger says that others are not told apart. Each path leaves its input all the same.
// RUN: %fathom-cc -g %s -o %t.bin
// RUN: rm -rf %t.out %t.jobs && %fathom explore %t.bin -o %t.out > %t.said
// RUN: FileCheck %s < %t.said
// RUN: FileCheck %s --check-prefix=LEDGER < %t.out/ledger.json
// CHECK: tests         39, 39 of them end in a bug
// CHECK: bugs          19
// CHECK: called in fourth at
// CHECK-NEXT: called in third at
// CHECK: bound-stacks
// CHECK-NOT: bound-stacks
// LEDGER: "complete": false
// LEDGER: "category": "bound-stacks"
// LEDGER: "location": "{{.*}}many-stacks.c:{{[0-9]+}} in last"
// LEDGER: "detail": "abort: 16 call stacks that end here are reported; further ones are not told apart"
// LEDGER: "count": 16
// With several workers, of which each knows its own: no more reports.
// RUN: %fathom explore %t.bin -o %t.jobs --jobs 3 --json > %t.json
// RUN: ls %t.jobs/bugs | count 19
#include <fathom.h>
#include <stdlib.h>

static int bits;
static void last(void) { abort(); } // 32 stacks
static void fifth(void) {
  if (bits & 16)
    last();
  else
    last();
}
static void fourth(void) {
  if (bits & 8)
    fifth();
  else
    fifth();
}
static void third(void) {
  if (bits & 4)
    fourth();
  else
    fourth();
}
static void second(void) {
  if (bits & 2)
    third();
  else
    third();
}
static void first(void) {
  if (bits & 1)
    second();
  else
    second();
}
static int odd(int n, int way);
static int even(int n, int way) { // the two call each other, and themselves
  if (n <= 0)
    return 100 / way; // way is 0: two stacks, however deep,
  return n % 3 ? odd(n - 1, way) : even(n - 1, way);
}
static int odd(int n, int way) { return n <= 0 ? 200 / way : even(n - 1, way) + odd(n - 2, way); } // and one
int main(void) {
  int which = fathom_range(0, 1, "which");
  if (which) {
    bits = fathom_range(0, 31, "bits");
    first();
  } else {
    int n = fathom_range(0, 25, "n");
    for (int i = 0; i < 26; i++) // concrete
      if (n == i)
        return even(i, 0);
  }
  return 0;
}
