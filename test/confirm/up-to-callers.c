// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access outside of an object that only some numbers of callers make is open, with its path, while it is not shown from main; one that depends
// on nothing of theirs is confirmed, and so is one whose callers are not to be asked about, or that main reaches.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s out-of-bounds-write p.sarif INDEX ALWAYS MAIN
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 200ms --report-time 3s > p.txt
// RUN: FileCheck %s < p.txt
// CHECK: confirmed: out-of-bounds-write: MAIN
// CHECK-NEXT: feasible from main with an input
// CHECK: possible: out-of-bounds-write: ALWAYS
// CHECK: open: out-of-bounds-write: INDEX
// CHECK-NEXT: feasible from store for some arguments; whether callers make that possible is open: from main: {{.*}}
// CHECK-NEXT: would settle it: {{more time for callers|the code of callers}}
// CHECK-NEXT: write of 4 bytes
// CHECK-NEXT: where at = {{-?[0-9]+}}
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --json -q > zero.json
// RUN: python3 %S/Inputs/verdicts.py zero.json INDEX=possible ALWAYS=possible MAIN=confirmed
#include <string.h>
static int table[8];
static unsigned hash(const char *text) {
  unsigned h = 0;
  for (size_t i = 0; i < 8; i++) h = h * 2654435761u ^ (h >> 7) ^ (unsigned char)text[i & (strlen(text) ? 7 : 0)] * h;
  return h;
}
void store(int at) {
  if (at == -1) return;
  table[at] = 1; // INDEX
}
void always(void) {
  int small[2];
  volatile int at = 2;
  small[at] = 1; // ALWAYS
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    unsigned h = hash(argv[i]);
    if (h % 1000003 == 12345) store((int)(h % 9));
    if (h % 1000003 == 54321) always();
    if (argv[i][0] == 'x') table[argv[i][1]] = 2; // MAIN
  }
  return table[0];
}
