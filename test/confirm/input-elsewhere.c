// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that reads input: no path from the report's source shows it, and one from another source does that is found with an input from main only.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif "READS=malloc may return null"
// RUN: %fathom confirm p --reports r.sarif --no-cache --sym-stdin 4 | FileCheck %s
// CHECK: confirmed: null-dereference: READS
// CHECK-NEXT: feasible from main with an input, natively reproduced: signal SIGSEGV
// CHECK-NEXT: from another source: malloc at p.c:[[# @LINE + 6]] does not return null on this path; whether a path from the reported source shows it is open:
#include <stdio.h>
#include <stdlib.h>

static int reads(void) {
  char text[4];
  int *p = malloc(sizeof(int)); // READS: source
  if (!p) abort();
  *p = 1;
  if (fread(text, 1, sizeof text, stdin) == sizeof text && text[1] == 'x') p = NULL;
  return *p; // READS
}
int main(void) { return reads(); }
