// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report that names one place, as cppcheck writes many: what flows there says where to begin, and the search begins at the caller that frees. There may be other sources, so paths never refute it; one question about all runs of the function may.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && %fathom-cc -g %s -o %t.dir/p
// RUN: python3 %S/Inputs/one-place.py %s deallocuse > %t.dir/reports.xml
// RUN: %fathom confirm %t.dir/p --reports %t.dir/reports.xml --json -q --no-cache > %t.json
// RUN: python3 -c "import json; r = json.load(open('%t.json'))['reports']; got = [(x['verdict'], x['entry']) for x in r]; assert got == [('confirmed', 'main'), ('open', 'early'), ('refuted', 'never')], got; assert r[1]['cut'] == 'no-source', r"
#include <stdlib.h>
static int use(int *p) {
  return *p; // REPORT
}
int late(int n) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = n;
  free(p);
  return use(p);
}
static int useOther(int *p) {
  return *p; // REPORT
}
int early(unsigned n) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  if (n * 2 % 2) free(p); // never
  return useOther(p);
}
int never(int *p) {
  return *p; // REPORT
}
int main(int argc, char **argv) { return late(argc) + early(argc) + never(&argc); }
