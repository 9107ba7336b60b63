// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report that names an access is not confirmed by another defect in a function that the same line calls. An analyser that names calls may mean that one.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py --role=null p.c null-dereference own.sarif NULL-IN-CALLEE NULL
// RUN: python3 %S/Inputs/report.py --role=frees p.c use-after-free freed.sarif FREED-IN-CALLEE FREED
// RUN: %fathom confirm p --reports own.sarif --reports freed.sarif --no-cache --json -q > own.json
// RUN: python3 %S/Inputs/verdicts.py own.json NULL-IN-CALLEE=refuted NULL=confirmed FREED-IN-CALLEE=refuted FREED=confirmed
// The column says what is meant.
// RUN: python3 %S/Inputs/report.py --column-of='*p' p.c null-dereference at.sarif NULL-IN-CALLEE
// RUN: %fathom confirm p --reports at.sarif --no-cache --json -q > at.json
// RUN: python3 %S/Inputs/verdicts.py at.json NULL-IN-CALLEE=refuted
// RUN: python3 %S/Inputs/report.py --column-of=first p.c null-dereference call.sarif NULL-IN-CALLEE
// RUN: python3 %S/Inputs/report.py p.c use-after-free line.sarif FREED-IN-CALLEE
// RUN: %fathom confirm p --reports call.sarif --reports line.sarif --no-cache --json -q > call.json
// RUN: python3 %S/Inputs/verdicts.py call.json NULL-IN-CALLEE=confirmed FREED-IN-CALLEE=confirmed
// What was never written is used where it was passed to.
// RUN: python3 %S/Inputs/report.py --role=unwritten p.c uninitialized-read unwritten.sarif PASSED
// RUN: %fathom confirm p --reports unwritten.sarif --no-cache --json -q > unwritten.json
// RUN: python3 %S/Inputs/verdicts.py unwritten.json PASSED=confirmed
// Along paths alone, what ends them in the callee leaves the report open.
// RUN: %fathom confirm p --reports own.sarif --no-questions --no-cache --json -q > paths.json
// RUN: python3 %S/Inputs/verdicts.py paths.json NULL-IN-CALLEE=open NULL=confirmed
#include <stdlib.h>
__attribute__((noinline)) static int isLarge(int n) {
  if (n > 3) return 1;
  return 0;
}
__attribute__((noinline)) static int first(int *q) { return q[0]; }
int main(int argc, char **argv) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q), *none = p;
  if (!p || !q) return 1;
  *p = *q = argc;
  if (argc == 2 && argv[1][0] == 'u') {
    int unset; // PASSED: source
    if (argv[1][1] == 'x') unset = 1;
    return isLarge(unset); // PASSED
  }
  if (argc == 1) none = 0; // NULL-IN-CALLEE: source
  if (argc == 2) none = 0; // NULL: source
  if (argc > 2) free(q); // FREED-IN-CALLEE: source
  if (argc == 1) return *p + first(none); // NULL-IN-CALLEE
  if (argc == 2) return first(p) + *none; // NULL
  if (argc == 3) return *p + first(q); // FREED-IN-CALLEE
  free(q); // FREED: source
  return first(p) + *q; // FREED
}
