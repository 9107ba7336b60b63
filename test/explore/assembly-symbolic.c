// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %explore %t %t.e paths_completed=15 external_calls=0 statuses=0,1,2,3,4,5,6,7,8
// RUN: %fathom replay %t %t.e.out | FileCheck %s
// CHECK: branch traces all 15 agree
// Inline assembly on symbolic values: each way that its results decide is a path with an input of its own.
#include <fathom.h>
#include <stdint.h>

int main(void) {
  uint64_t x = fathom_uint64("x"), r, low, high;
  uint32_t y = (uint32_t)x;
  uint8_t flag;
  int carry;
  switch (fathom_range(0, 7, "which")) {
  case 0: // the lowest bit
    __asm__("bsfq %1, %0" : "=r"(r) : "rm"(x) : "cc");
    if (x && r == 37) return 1;
    break;
  case 1: // a rotation
    __asm__("roll $7, %0" : "+r"(y) : : "cc");
    if (y == 0xdeadbeef) return 2;
    break;
  case 2: // a long sum
    __asm__("addq $1, %0; adcq $5, %1" : "=r"(low), "=&r"(high), "=@ccc"(carry) : "0"(x), "1"(~0ull - 5));
    if (carry) return 3; // of none: 5 was taken from the highest
    if (high == ~0ull) return 4;
    break;
  case 3: // a byte of flags
    __asm__("cmpl %2, %1; setg %0" : "=q"(flag) : "r"(y), "ri"(1000) : "cc");
    if (flag) return 5;
    break;
  case 4: // a choice
    __asm__("testb $8, %b1; cmovnz %2, %0" : "=r"(r) : "r"(x), "r"(5ul), "0"(0ul) : "cc");
    if (r == 5) return 6;
    break;
  case 5: // a bit of a table
    __asm__("btq %1, %2; sbbl %0, %0" : "=r"(y) : "r"(x & 63), "r"(0x0200000000000000ull) : "cc");
    if (y) return 7;
    break;
  default: // memory that is exchanged
    r = 6;
    fathom_assume(x < 16);
    __asm__ volatile("lock; cmpxchgq %3, %1; sete %0" : "=q"(flag), "+m"(r), "+a"(x) : "r"(9ul) : "memory", "cc");
    if (flag && r == 9) return 8;
  }
  return 0;
}
