// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Objects that are aligned to more than their size: locals, arrays of variable length, structures by value, globals, blocks.
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Wide {
  alignas(64) char c;
};
static int off(const volatile void *p, uintptr_t align) { return (uintptr_t)p % align != 0; }
__attribute__((noinline)) static int byValue(int n, struct Wide w) { return off(&w, 64) + (w.c != n); }
__attribute__((noinline)) static int variable(int n, ...) {
  va_list list;
  va_start(list, n);
  struct Wide w = va_arg(list, struct Wide);
  va_end(list);
  return off(&w, 64) + (w.c != n);
}
alignas(256) static char global[3];

int main(int argc, char **argv) {
  alignas(128) volatile char local[8];
  alignas(4096) volatile char page[8];
  local[0] = page[0] = 1;
  volatile char between[24];
  between[argc] = 1;
  struct Wide w = {7};
  void *block = aligned_alloc(512, 512);
  printf("%d %d %d %d %d %d\n", off(local, 128), off(page, 4096), off(&w, 64), byValue(7, w), variable(7, w),
         off(global, 256) + off(block, 512));
  free(block);
  (void)argv;
  return 0;
}
