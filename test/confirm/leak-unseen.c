// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaks that the engine does not see as the report has them, which is no refutation: realloc made another block of the reported one; the program
// calls exit while functions are active, where no leak is looked for.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c leak r.sarif "GROWN=memory is allocated" "ENDS=memory is allocated" "FREED=memory is allocated"
// RUN: %fathom confirm p --reports r.sarif --no-cache --json -q -- > verdicts.json
// RUN: python3 %S/Inputs/verdicts.py verdicts.json GROWN=open:other ENDS=open:other FREED=refuted
// RUN: FileCheck %s < verdicts.json
// CHECK-DAG: no path shows it, but a path past the sink loses a block that was allocated at another place
// CHECK-DAG: no path shows it, but a path past the sink calls exit before its functions return
// The model of the environment ends the program, and leaks are looked for there: without it no leak is ruled out, and one line says so.
// RUN: mkdir none && python3 %S/Inputs/report.py p.c leak freed.sarif "FREED=memory is allocated"
// RUN: env FATHOM_BUILD=%t.dir/none %fathom confirm p --reports freed.sarif --no-cache -- > none.txt 2>&1
// RUN: FileCheck %s --check-prefix=NONE < none.txt
// NONE: no lib/fathom/runtime.bc below {{.*}}none: system calls are not modelled, and no report is refuted
// NONE: p.c:[[#]]: open: leak: FREED
// A leak of a function is not refuted by its callers where main ends by exit.
// RUN: python3 %S/Inputs/report.py p.c leak called.sarif "CALLED=memory is allocated"
// RUN: %fathom-cc -g -DEXITS p.c -o exits
// RUN: %fathom confirm exits --reports called.sarif --no-cache --json -q -- > exits.json
// RUN: python3 %S/Inputs/verdicts.py exits.json CALLED=possible
#include <stdlib.h>
static int called(int n) {
  char *p = malloc(8); // CALLED: source
  if (!p) return 1;
  p[0] = (char)n;
  if (n > 0)
    return 2; // CALLED
  free(p);
  return 0;
}
static int grown(int n) {
  char *p = malloc(8); // GROWN: source
  if (!p) return 1;
  char *q = realloc(p, 100);
  if (!q) {
    free(p);
    return 1;
  }
  q[0] = (char)n;
  if (n > 3)
    return 2; // GROWN
  free(q);
  return 0;
}
static int freed(int n) {
  char *p = malloc(8); // FREED: source
  if (!p) return 1;
  p[0] = (char)n;
  n += p[0];
  free(p);
  return n; // FREED
}
static int ends(int n) {
  char *p = malloc(8); // ENDS: source
  if (!p) return 1;
  p[0] = (char)n;
  p = NULL; // ENDS
  exit(p ? 1 : 0);
}
int main(int argc, char **argv) {
  (void)argv;
#ifdef EXITS
  exit(called(argc));
#endif
  called(argc);
  int r = grown(argc) + freed(argc);
  return r + ends(argc);
}
