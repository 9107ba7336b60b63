// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report is refuted for its own source, and there is no time left for a path from another one: with more time it is asked about again.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif "LATE=malloc may return null"
// RUN: env FATHOM_CACHE=cache %fathom confirm p --reports r.sarif --callers-time 0 --other-source-time 60s --report-time 400ms --json -q > short.json
// RUN: python3 %S/Inputs/verdicts.py short.json LATE=refuted
// RUN: env FATHOM_CACHE=cache %fathom confirm p --reports r.sarif --callers-time 0 --other-source-time 60s --report-time 60s --json -q > long.json
// RUN: python3 %S/Inputs/verdicts.py long.json LATE=possible
// RUN: env FATHOM_CACHE=cache %fathom confirm p --reports r.sarif --callers-time 0 --other-source-time 60s --report-time 60s --json -q | FileCheck %s
// CHECK: "asked":0
#include <stdlib.h>
static int *checked(int k) {
  int *p = malloc(sizeof(int)); // LATE: source
  if (!p) abort();
  if (k == 2) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 40000000; i++) sum = sum * 31 + i;
    free(p);
    return sum == 5 ? (int *)(long)k : NULL;
  }
  return p;
}
int late(int k) {
  int *p = checked(k);
  return *p; // LATE
}
int main(int argc, char **argv) {
  (void)argv;
  return late(argc);
}
