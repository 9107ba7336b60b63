// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t ledger=unsupported-instruction statuses=0 -- --external defer-strict
// RUN: grep -c "unsupported: inline assembly" %t.out/ledger.json | FileCheck %s
// CHECK: {{^}}9{{$}}
//
// Assembly that would give something else in another process is not executed: its path ends, and the ledger says where.
#include <fathom.h>

int variable = 3;

int main(void) {
  unsigned long x = 0, y = 0;
  switch (fathom_range(0, 9, "which")) {
  case 0: __asm__ volatile("syscall" : "=a"(x) : "0"(39) : "rcx", "r11", "memory"); break;
  case 1: __asm__ volatile("movq %%fs:0, %0" : "=r"(x)); break;
  case 2: __asm__ volatile("lfence; rdtsc" : "=a"(x), "=d"(y)); break;
  case 3: __asm__ volatile("movq %%rsp, %0" : "=r"(x)); break;
  case 4: __asm__ volatile("movl variable(%%rip), %k0" : "=r"(x)); break;
  case 5: __asm__ volatile(".byte 0x0f, 0xa2" : "=a"(x) : "0"(0) : "rbx", "rcx", "rdx"); break;
  case 6: __asm__ volatile("pushq %0; popfq" : : "r"(x) : "cc"); break;
  case 7: __asm__ volatile("movq %1, %0" : "=r"(x) : "i"(&variable)); break;
  case 8: __asm__ volatile("leaq 1f(%%rip), %0; jmp *%0; 1:" : "=r"(x)); break;
  default: return 0;
  }
  return x ? 1 : 2;
}
