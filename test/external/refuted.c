// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,2 ledger=0 -- --sym-stdin 2 --external defer-strict --external-functions mix
// RUN: FileCheck %s --check-prefix=STATS <%t.out/stats.json
// STATS: "fuzz_solver": {
// STATS: "refuted": {{[1-9][0-9]*}}
// STATS-NEXT: "refuted_candidates": {{[0-9][0-9][0-9][0-9]+}}
// RUN: %fathom-cc -g -w %s -o %t.once -DCOUNTS
// RUN: %explore %t.once %t.once statuses=0,2 ledger=solver-unknown -- --sym-stdin 2 --external defer-strict --external-functions mix
// RUN: FileCheck %s --check-prefix=OPEN <%t.once.out/stats.json
// OPEN: "refuted": 0
//
// No pair of bytes has this sum. Where a function depends on its arguments alone, executing all pairs proves that; where it counts its calls,
// one that was executed says nothing about the next.
#include <unistd.h>

#ifdef COUNTS
static unsigned calls;
#else
static const unsigned calls = 0;
#endif

static unsigned square(unsigned x) { return x * x; }

unsigned mix(unsigned a, unsigned b) {
#ifdef COUNTS
  calls += a > 1000;
#endif
  return square(a) + square(b) + calls;
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  if (mix(in[0], in[1]) == 30003) // 3 modulo 4
    return 1;
  if (mix(in[0], in[1]) == 30005)
    return 2;
  return 0;
}
