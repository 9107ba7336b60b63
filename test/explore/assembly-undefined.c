// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-mbmi statuses=0 external_calls=10
// A statement whose result depends on a flag or a part of a register that is undefined, or that no instruction wrote, is not translated:
// the processor says what it is. Nothing else is asked of it.
#include <stdint.h>

int main(void) {
  uint32_t x = 3, w = 5;
  uint64_t z = 7;
  uint8_t n = 0, f = 0;
  uint16_t h = 9;
  // A count that can be 0 keeps the flags, which are those before the statement.
  __asm__ volatile("shll %%cl, %0; setz %1" : "+&r"(x), "=&q"(f) : "c"(n) : "cc");
  __asm__ volatile("roll %%cl, %0; setc %1" : "+&r"(x), "=&q"(f) : "c"(n) : "cc");
  __asm__ volatile("shldl %%cl, %2, %0; sets %1" : "+&r"(x), "=&q"(f) : "r"(w), "c"(n) : "cc");
  // The parity after andn, the sign after a test of a bit, a carry when all bits are shifted out.
  __asm__ volatile("andnl %2, %2, %0; setp %1" : "=&r"(x), "=&q"(f) : "r"(w) : "cc");
  __asm__ volatile("btl %2, %0; sets %1" : "+&r"(x), "=&q"(f) : "r"(w) : "cc");
  __asm__ volatile("shlw $17, %0; setc %1" : "+&r"(h), "=&q"(f) : : "cc");
  // The same by a count that may be large enough.
  uint8_t b = 200;
  __asm__ volatile("addb %0, %0; shlb %%cl, %0; setc %1" : "+&q"(b), "=&q"(f) : "c"(n) : "cc");
  __asm__ volatile("addw %0, %0; shrw %%cl, %0; setc %1" : "+&r"(h), "=&q"(f) : "c"(n) : "cc");
  // A jump over an access to memory.
  __asm__ volatile("testl %0, %0; jnz 1f; movl (%1), %0; 1:" : "+&r"(x) : "r"(&w) : "memory", "cc");
  // An address of 32 bits, made of a pointer.
  __asm__ volatile("leaq 8(%k1), %0" : "=r"(z) : "r"((char *)0x1fffffff8ul));
  if (z) return 1;
  // These are defined.
  __asm__ volatile("testl %0, %0; shll %%cl, %0; setz %1" : "+&r"(x), "=&q"(f) : "c"(n) : "cc");
  __asm__ volatile("andnl %2, %2, %0; setz %1" : "=&r"(x), "=&q"(f) : "r"(w) : "cc");
  __asm__ volatile("shlw $15, %0; setc %1" : "+&r"(h), "=&q"(f) : : "cc");
  __asm__ volatile("andb $7, %%cl; addb %0, %0; shlb %%cl, %0; setc %1" : "+&q"(b), "=&q"(f), "+&c"(n) : : "cc");
  __asm__ volatile("addb %0, %0; sarb %%cl, %0; setc %1" : "+&q"(b), "=&q"(f) : "c"(n) : "cc");
  __asm__ volatile("addl %0, %0; shrl %%cl, %0; setc %1" : "+&r"(x), "=&q"(f) : "c"(n) : "cc");
  return 0;
}
