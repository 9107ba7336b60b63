// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callers made is looked at beyond 512 bytes where a path goes there: an object grows. An index that may lie beyond what it has is told.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif BEHIND TWIN
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 | FileCheck %s
// CHECK: possible: use-after-free: BEHIND
// CHECK: where {{.*}}*b at 5000 = 7
// What is freed may be b itself, as far as one function can know: then the second look at b->kind is an earlier defect.
// CHECK: open: use-after-free: TWIN
// CHECK-NEXT: no run of twin shows it if pointers of unknown origin lead to different objects
// RUN: python3 %S/Inputs/report.py p.c use-after-free q.sarif INDEX
// RUN: %fathom confirm p --reports q.sarif --no-cache --callers-time 0 | FileCheck %s --check-prefix=BEYOND
// BEYOND: open: use-after-free: INDEX
// BEYOND-NEXT: an access outside of the 512 bytes that are looked at of *b, which callers made
#include <stdlib.h>
struct big {
  char buffer[5000];
  int kind;
  int *data;
};
int behind(struct big *b) {
  if (b->kind == 7) free(b->data); // BEHIND: source
  return *b->data; // BEHIND
}
int twin(struct big *b) {
  if (b->kind == 7) free(b->data); // TWIN: source
  if (b->kind == 7) return 0;
  return *b->data; // TWIN
}
int byIndex(struct big *b, int *p, unsigned i) {
  if (i >= 5000) return 0;
  if (b->buffer[i] == 1 && i > 600) free(p); // INDEX: source
  return *p; // INDEX
}
int main(int argc, char **argv) {
  struct big *b = calloc(1, sizeof *b);
  if (!b) return 1;
  b->data = malloc(sizeof *b->data);
  if (!b->data) return 1;
  b->kind = argc;
  *b->data = argc;
  int out = argc > 1 ? behind(b) : argc < 0 ? twin(b) : byIndex(b, b->data, (unsigned)argv[0][0]);
  return out;
}
