// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A null pointer that callers gave is theirs: in an argument, behind one, or in a variable. The function's own are assigned on the path, or come from a call.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %fathom-cc -g %s -o p
// RUN: python3 %S/Inputs/report.py %s null-dereference r.sarif ARGUMENT MEMORY VARIABLE PASSED ASSIGNED FAILED OWN INDEXED
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 300ms --json -q > said.json
// RUN: python3 %S/Inputs/verdicts.py said.json ARGUMENT=open MEMORY=open VARIABLE=open PASSED=open ASSIGNED=possible FAILED=possible OWN=possible INDEXED=possible
// Without callers, what the function does is all there is to say.
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 --json -q > alone.json
// RUN: python3 %S/Inputs/verdicts.py alone.json ARGUMENT=possible MEMORY=possible VARIABLE=possible PASSED=possible ASSIGNED=possible FAILED=possible OWN=possible INDEXED=possible
// One line of a file.
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 --only null-of-callers.c:29 --json -q | FileCheck %s --check-prefix=ONE
// ONE: "asked":1,"causes":1,"confirmed":0,
// ONE: "message":"MEMORY"
#include <stdlib.h>
#include <string.h>

struct holder {
  int *held;
  int n;
};
static int *kept;

int argument(const int *p) {
  if (p) return 1;
  return *p; // ARGUMENT
}
int memory(const struct holder *h) {
  if (h->n > 3 && h->held) return 1;
  return h->held[2]; // MEMORY
}
int variable(void) {
  if (kept) return 1;
  return kept[1]; // VARIABLE
}
void keep(int *p) { kept = p; }
int passed(const char *s) {
  if (s) return 1;
  return (int)strlen(s); // PASSED
}
int assigned(int n) {
  int *p = NULL;
  if (n > 3) p = kept;
  if (n > 7) return 1;
  return n > 3 ? 2 : p[n & 1]; // ASSIGNED
}
int failed(int n) {
  int *p = malloc(sizeof(int));
  if (n > 3) return 1;
  *p = n; // FAILED
  return 2;
}
int own(struct holder *h) {
  h->held = NULL;
  if (h->n > 3) h->held = &h->n;
  return *h->held; // OWN
}
int indexed(const unsigned *at) {
  int *table = malloc(40);
  return table[*at]; // INDEXED
}
// Nobody calls the others: what their callers give is not known.
int main(int argc, char **argv) {
  (void)argv;
  keep(&argc);
  return 0;
}
