// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step says which side of the source's condition a path takes, also where the source negates it; of a switch, that a case is taken.
// --only takes lines of steps, too, and not those of branches.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=SWITCH < %t.out
// RUN: %fathom scan %t --no-cache --only sides.c:18 | FileCheck %s --check-prefix=ONLY
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom scan %t --no-cache --only sides.c:25 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: %fathom scan %t --no-cache --json > %t.json
// RUN: python3 -c "import json; r = [r for r in json.load(open('%t.json'))['reports'] if r['kind'] == 'use-after-free'][0]; print([s['role'] for s in r['steps']])" | FileCheck %s --check-prefix=ROLES
#include <stdio.h>
#include <stdlib.h>

static void release(char *text) {
  free(text); puts("released");
}

static int work(char *text, const char *name, int kind) {
  int sum = 0;
  // CHECK: use-after-free: freed memory is used; it was freed at sides.c:18
  // CHECK: the condition is false, in work
  // CHECK-NEXT: 26 |   if (!name)
  if (!name)
    return 0;
  if (text[0] != 'x') return 1;
  // CHECK: the condition is true, in work
  // CHECK-NEXT: |   if (!name[1])
  if (!name[1])
    release(text);
  else
    return 2;
  sum += text[1];
  int *none = kind > 3 ? NULL : &sum;
  // SWITCH: null-dereference: the null pointer is dereferenced
  // SWITCH: a case of it is taken, in work
  switch (kind) {
  case 5: sum += *none; break;
  default: break;
  }
  return sum;
}

int main(int argc, char **argv) {
  char *text = calloc(5, 1);
  if (!text) return 1;
  text[0] = *argv[0];
  return work(text, argv[1], argc);
}
// ONLY: {{^}}1 report: 1 use-after-free
// BRANCH: --only sides.c:25: no report has this rule
// ROLES: true-side
