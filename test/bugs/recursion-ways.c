// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By which of its calls a function comes to itself does not tell bugs apart, as little as how often; how others come to it does.
// RUN: %explore %s %t bugs=division-by-zero:17,division-by-zero:19,division-by-zero:19
// RUN: %fathom explore %t.program -o %t.two -q --force --jobs 2 && ls %t.two/bugs | FileCheck %s
// CHECK: 000001
// CHECK-NEXT: 000002
// CHECK-NEXT: 000003
// CHECK-NOT: 0000
#include <fathom.h>

static int other(const unsigned char *in, int depth);

static int walk(const unsigned char *in, int depth) {
  if (depth == 3) {
    int sum = 0;
    if (in[4])
      sum += 100 / in[3]; // BUG
    else
      sum += 200 / (in[3] - 1); // BUG
    return sum;
  }
  if (in[depth] == 0) return walk(in, depth + 1);
  if (in[depth] == 1) return walk(in, depth + 1) + 1;
  if (in[depth] == 2 && !in[4] && depth == 1) return other(in, depth + 1);
  return 2 * walk(in, depth + 1);
}
static int other(const unsigned char *in, int depth) { return walk(in, depth) + 2; }

int main(void) {
  unsigned char in[5];
  fathom_symbolic(in, sizeof in, "in");
  return walk(in, 0) & 1;
}
