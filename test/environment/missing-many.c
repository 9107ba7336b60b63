// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that makes up more names of files than the ledger names: which it names does not depend on the number of workers, and the summary
// counts all.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && %fathom-cc -g %s -o %t.dir/program && cd %t.dir
// RUN: %fathom explore program -o one --jobs 1 --sym-stdin 1 | FileCheck %s
// RUN: %fathom explore program -o three --jobs 3 --sym-stdin 1 | FileCheck %s
// CHECK: assumption: the program asked for /made/000, /made/001, /made/002 and 197 more names
// RUN: diff one/ledger.json three/ledger.json
// RUN: FileCheck %s --check-prefix=LEDGER < one/ledger.json
// LEDGER: "detail": "other names"
// LEDGER-NEXT: "count": 136
// LEDGER: "detail": "/made/063"
// LEDGER-NOT: "detail": "/made/064"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  unsigned char c = 0;
  if (read(0, &c, 1) != 1) return 1;
  for (unsigned k = 0; k < 200; k++) {
    if (c != (k * 77) % 200) continue;
    char name[32];
    struct stat unused;
    snprintf(name, sizeof name, "/made/%03u", (k * 77) % 200);
    return stat(name, &unused) == 0;
  }
  return 2;
}
