// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Calls whose type is not the callee's, as in old C: a wider or narrower argument, a wider or narrower result, a result that
// nobody takes; directly and through pointers.
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static int isFive(int x) { return x == 5; }
NOINLINE static unsigned long wide(unsigned long x) { return x + 1; }
NOINLINE unsigned long whole(void) { return 0x100000005UL; }
NOINLINE unsigned small(void) { return 0xfffffffbu; }
struct Pair {
  long a, b;
};
NOINLINE static struct Pair pair(long a, long b) { return (struct Pair){a, b}; }
NOINLINE static long three(long a, long b, long c) { return 100 * a + 10 * b + c; }

// The same functions under another type.
extern unsigned wholeAsUnsigned(void) __asm__("whole");

typedef int (*OfLong)(long);
typedef unsigned (*ToUnsigned)(void);
typedef void (*ToNothing)(long, long);
typedef long (*OfUnsigned)(unsigned);

int main(void) {
  int (*volatile five)(int) = isFive;
  unsigned long (*volatile wider)(unsigned long) = wide;
  unsigned long (*volatile all)(void) = whole;
  struct Pair (*volatile two)(long, long) = pair;
  long (*volatile sum)(long, long, long) = three;
  printf("%d %d\n", ((OfLong)isFive)(0x100000005L), ((OfLong)isFive)(0x500000000L));
  printf("%d %d\n", ((OfLong)five)(0x100000005L), ((OfLong)five)(0x500000000L));
  printf("%u %u\n", wholeAsUnsigned() == 5, ((ToUnsigned)all)() == 5);
  printf("%lx\n", ((OfUnsigned)wider)(0xffffffffu));
  long keep = 42, other = 43;
  ((ToNothing)two)(1, 2); // the result must not land in a register of ours
  printf("%ld %ld %ld\n", keep, other, sum(1, 2, 3));
  return small() == 0xfffffffbu ? 0 : 1;
}
