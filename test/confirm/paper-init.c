// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --paper-init no pointer of callers is null or leads to what another leads to, and what needs that is open; other defects are found as ever.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference null.sarif MAYBE FIELD
// RUN: python3 %S/Inputs/report.py %s use-after-free freed.sarif TWO ONE
// RUN: %fathom confirm p --no-questions --reports null.sarif --callers-time 0 --json -q > null.json
// RUN: python3 %S/Inputs/verdicts.py null.json MAYBE=possible FIELD=possible
// RUN: %fathom confirm p --no-questions --reports freed.sarif --callers-time 0 --json -q > freed.json
// RUN: python3 %S/Inputs/verdicts.py freed.json TWO=possible ONE=possible
// RUN: %fathom confirm p --no-questions --reports null.sarif --callers-time 0 --json -q --paper-init > paper-null.json
// RUN: python3 %S/Inputs/verdicts.py paper-null.json MAYBE=open:assumption FIELD=open:assumption
// RUN: %fathom confirm p --no-questions --reports freed.sarif --callers-time 0 --json -q --paper-init > paper-freed.json
// RUN: python3 %S/Inputs/verdicts.py paper-freed.json TWO=open:assumption ONE=possible
#include <stdlib.h>
struct box { int *value; };
int maybe(int *p) {
  if (p) return 0;
  return *p; // MAYBE
}
int field(struct box *b) {
  if (b->value) return 0;
  return *b->value; // FIELD
}
int two(struct box *a, struct box *b) {
  free(a->value); // TWO: source
  return *b->value; // TWO
}
int one(struct box *a) {
  free(a->value); // ONE: source
  return *a->value; // ONE
}
int main(int argc, char **argv) {
  struct box a = {&argc};
  return maybe(&argc) + field(&a) + two(&a, &a) + one(&a);
}
