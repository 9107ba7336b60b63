// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behind another defect a program mostly goes on: the path does, too, and shows the reported one. Where it cannot go on, nothing is refuted.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c double-free d.sarif BEHIND-WRITE
// RUN: %fathom confirm p --reports d.sarif --no-cache | FileCheck %s --check-prefix=WRITE
// WRITE: confirmed: double-free: BEHIND-WRITE
// RUN: python3 %S/Inputs/report.py p.c use-after-free u.sarif SECOND
// RUN: %fathom confirm p --reports u.sarif --no-cache | FileCheck %s --check-prefix=USES
// USES: confirmed: use-after-free: SECOND
// RUN: python3 %S/Inputs/report.py p.c invalid-free i.sarif MIDDLE
// RUN: %fathom confirm p --reports i.sarif --no-cache | FileCheck %s --check-prefix=FREES
// FREES: confirmed: invalid-free: MIDDLE
// In a function, of what its callers made: the path ends at the first use, which is told.
// RUN: python3 %S/Inputs/report.py p.c use-after-free o.sarif OTHER
// RUN: %fathom confirm p --reports o.sarif --no-cache --callers-time 0 | FileCheck %s --check-prefix=INNER
// INNER: open: use-after-free: OTHER
// INNER-NEXT: a path ends by an earlier defect, use-after-free: read of 1 byte at offset 0 of a 512-byte heap object '*p' that was freed at {{.*}}p.c:[[#]] in two
// INNER: would settle it: a program in which the earlier defect is mended
// INNER: 1 open (1 earlier-defect)
#include <stdlib.h>
static int two(char *p, char *q) {
  free(p);
  int first = p[0];
  free(q); // OTHER: source
  return first + q[0]; // OTHER
}
int main(int argc, char **argv) {
  char *p = malloc(10), *q = malloc(4), *r = malloc(4);
  if (!p || !q || !r) return 1;
  p[10] = 'x';
  free(p); // BEHIND-WRITE: source
  free(p); // BEHIND-WRITE
  free(q);
  int sum = q[0];
  free(r); // SECOND: source
  sum += r[1]; // SECOND
  free(q);
  char *m = malloc(8); // MIDDLE: source
  if (!m) return 2;
  free(m + 1); // MIDDLE
  return argc > 9 ? two(argv[1], argv[2]) : sum;
}
