// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that libc allocates for the program are lost by the program: one leak for each place of its own.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t.out --force --json -q --sym-stdin 1 | FileCheck %s
// CHECK: "kind": "leak"
// CHECK: "function": "first"
// CHECK-NEXT: "file": "{{.*}}leak-in-libc.c"
// CHECK: "kind": "leak"
// CHECK: "function": "second"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long first(void) { return strlen(strdup("one")); }
static unsigned long second(void) { return strlen(strdup("two")); }

int main(void) {
  char c = 0;
  if (read(0, &c, 1) != 1) return 1;
  return c == 'a' ? (int)(first() + second()) : 0;
}
