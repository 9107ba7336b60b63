// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses of one unwritten value are one bug: the first has the report, which names the others, also those of a sum with further unwritten bytes.
// Another value is another bug.
// RUN: rm -rf %t.out && %fathom-cc -g -w %s -o %t && %fathom explore %t -o %t.out --sym-stdin 1 | FileCheck %s
// CHECK: bugs          2
// CHECK-DAG: uninitialized-read in {{use|twice|sums}} at {{.*}}unwritten-follows.c:[[#]]
// CHECK-DAG: also in {{use|twice|sums}} at {{.*}}unwritten-follows.c:[[#]]:[[#]]: uninitialized-read
// CHECK-DAG: uninitialized-read in main at
// RUN: cat %t.out/bugs/000001/bug.json %t.out/bugs/000002/bug.json | FileCheck %s --check-prefix=JSON
// JSON: "also_at": [
// JSON-NEXT: {
// JSON-NEXT: "kind": "uninitialized-read"
// RUN: FileCheck %s --check-prefix=SARIF < %t.out/results.sarif
// SARIF: "text": "also: uninitialized-read"
// The reports are the same with two workers.
// RUN: %fathom explore %t -o %t.out --force --jobs 2 --sym-stdin 1 | FileCheck %s
#include <unistd.h>

struct header {
  int index, size;
};
static const int table[8] = {1, 2, 3, 4};

static int use(const struct header *h) { return table[h->index & 7]; }

static int twice(const struct header *h) {
  if (h->index == 7) return 1;
  return 2;
}

static int sums(const struct header *h) {
  if (h->index > 4) return 1;
  if (h->index + h->size > 10) return 2;
  return 3;
}

int main(void) {
  struct header h;
  int unwritten;
  char c = 0;
  read(0, &c, 1);
  if (c == 'n') h.index = 3;
  if (c == 't') return twice(&h);
  if (c == 's') return sums(&h);
  if (c == 'u') {
    if (unwritten) return 4;
    return 5;
  }
  return use(&h);
}
