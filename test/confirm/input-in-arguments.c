// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// @@ among the arguments is the file whose contents are looked for, as for fuzz and run. It is longer than the usual 16 bytes, and comes before one as long as the seeds.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference p.sarif DEEP
// RUN: %fathom confirm p --reports p.sarif --no-cache -o found -- -1 @@ | FileCheck %s
// CHECK: confirmed: null-dereference: DEEP
// CHECK-NEXT: feasible from main with an input (found/bugs/000001), natively reproduced: signal SIGSEGV
// RUN: FileCheck %s --check-prefix=FILE < found/bugs/000001/files/A
// FILE: {{^}}HEADER-OF-20-BYTES::Z
// RUN: mkdir long && head -c 3000 /dev/zero > long/zeros
// RUN: %fathom confirm p --reports p.sarif --no-cache --seeds long -- -1 @@ | FileCheck %s --check-prefix=LONG
// LONG: confirmed: null-dereference: DEEP
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char text[64] = {0};
  int *p = &argc;
  if (argc != 3 || strcmp(argv[1], "-1")) return 1;
  FILE *file = fopen(argv[2], "r");
  if (!file) return 2;
  size_t n = fread(text, 1, sizeof text, file);
  if (n > 21 && !memcmp(text, "HEADER-OF-20-BYTES::", 20) && text[20] == 'Z') p = 0; // DEEP: source
  fclose(file);
  return *p; // DEEP
}
