// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A path that begins at an inner function assumes of the program's own variables what all stores to them say: a count that stays below the size
// of its table, a flag, what nobody sets. Each function has a twin whose variable can be what the report needs.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s out-of-bounds-read p.sarif COUNT BEYOND FIELD UNKNOWN
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 --json -q > p.json
// RUN: python3 %S/Inputs/verdicts.py p.json COUNT=refuted BEYOND=possible FIELD=refuted UNKNOWN=possible
// RUN: python3 %S/Inputs/report.py %s use-after-free u.sarif FLAG SET NEVER READ
// RUN: %fathom confirm p --reports u.sarif --callers-time 0 --json -q > u.json
// RUN: python3 %S/Inputs/verdicts.py u.json FLAG=refuted SET=possible NEVER=refuted READ=possible
// The same behind a call that is left out and writes the variable.
// RUN: python3 %S/Inputs/report.py %s use-after-free a.sarif AGAIN
// RUN: %fathom confirm p --reports a.sarif --callers-time 0 --json -q > a.json
// RUN: python3 %S/Inputs/verdicts.py a.json AGAIN=refuted
// The paper's initial state knows nothing of variables.
// RUN: %fathom confirm p --reports u.sarif --callers-time 0 --paper-init --no-cache --json -q > paper.json
// RUN: python3 %S/Inputs/verdicts.py paper.json FLAG=possible SET=possible NEVER=possible READ=possible
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 8 };
static int table[MOST], count, beyond;
static struct { int used, size; } fields = {0, 4};
static int flag, level, never, readInto, state;
static int *slot;

void add(int x) {
  if (count < MOST) count++;
  if (beyond <= MOST) beyond++;
  if (fields.used < MOST) fields.used += 1;
  fields.size = x; // any
}
int lastOf(void) {
  if (!count) return 0;
  return table[count - 1]; // COUNT
}
int lastBeyond(void) {
  if (!beyond) return 0;
  return table[beyond - 1]; // BEYOND
}
int lastField(void) {
  if (!fields.used) return 0;
  return table[fields.used - 1]; // FIELD
}
int unknown(void) {
  return table[fields.size]; // UNKNOWN
}
void set(int on) { flag = on != 0; }
void setLevel(int to) { level = to; }
int whenFlag(int *p) {
  if (flag > 1) free(p); // FLAG: source
  return *p; // FLAG
}
int whenLevel(int *p) {
  if (level > 1) free(p); // SET: source
  return *p; // SET
}
int whenNever(int *p) {
  if (never) free(p); // NEVER: source
  return *p; // NEVER
}
int whenRead(int *p) {
  if (readInto) free(p); // READ: source
  return *p; // READ
}
void next(int n) {
  for (int i = 0; i < n; i++) state = i & 3;
}
int whenAgain(int *p, int n) {
  next(n);
  if (state == 4) free(p); // AGAIN: source
  return *p; // AGAIN
}
int main(int argc, char **argv) {
  scanf("%d", &readInto);
  slot = malloc(4);
  for (int i = 0; i < argc; i++) {
    add(argc);
    set(argc);
    setLevel(argc);
  }
  return lastOf() + lastBeyond() + lastField() + unknown() + whenFlag(slot) + whenLevel(slot) + whenNever(slot) + whenRead(slot) + whenAgain(slot, argc);
}
