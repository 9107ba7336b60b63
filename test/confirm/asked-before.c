// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer of callers that the code compares with null before it is used: leaving the comparison out, in a branch or in a call, does not rule the
// dereference out.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference p.sarif BRANCH CALL CHECKED
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 --no-cache --json -q > p.json
// RUN: python3 %S/Inputs/verdicts.py p.json BRANCH=possible CALL=possible CHECKED=refuted
#include <stdio.h>
int branch(const char *p) {
  if (p == NULL) puts("none");
  const char *v = p; // BRANCH: source
  return *v; // BRANCH
}
static void tell(const char *p) {
  if (!p) puts("none");
}
int call(const char *p) {
  tell(p);
  const char *v = p; // CALL: source
  return *v; // CALL
}
int checked(const char *p) {
  if (p == NULL) return 0;
  const char *v = p; // CHECKED: source
  return *v; // CHECKED
}
int main(int argc, char **argv) { return branch(argv[1]) + call(argv[argc]) + checked(argv[2]); }
