// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open report names functions that its reader knows: the program's own, and what of libc it calls; nothing that libc and the environment model are made of.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif COMPARES OPENS
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 --loop-bound 0 --max-depth 0 --calls step-in --no-slice --report-time 2s > said.txt
// RUN: FileCheck %s < said.txt
// RUN: not grep __ said.txt
// CHECK: open: null-dereference: COMPARES
// CHECK-NEXT: decisions were made in strcspn, which compares calls
// CHECK: open: null-dereference: OPENS
// CHECK-NEXT: decisions were made in open, which opens calls
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
int compares(const char *text, int n) {
  int *p = &n;
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 31 + (unsigned)strcspn(text + i, "a");
  if (sum == 123456789)
    p = NULL;
  return *p; // COMPARES
}
int opens(const char *name, int n) {
  int *p = &n;
  if (open(name, O_RDONLY) == 12345)
    p = NULL;
  return *p; // OPENS
}
int main(int argc, char **argv) { return compares(argv[0], argc) + opens(argv[0], argc); }
