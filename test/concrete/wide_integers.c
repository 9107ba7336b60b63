// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Integers of more than 128 bits: _BitInt, and packed bit-fields that the compiler reads in such units.
#include <stdio.h>
#include <string.h>

typedef unsigned _BitInt(256) Wide;
typedef _BitInt(256) Signed;
typedef unsigned _BitInt(200) Odd;
typedef _BitInt(193) OddSigned;

static void show(const char *what, Wide x) {
  printf("%s", what);
  for (int i = 3; i >= 0; i--) printf(" %016lx", (unsigned long)(x >> (64 * i)));
  puts("");
}

#pragma pack(1)
static struct Packed {
  unsigned a : 3;
  long b : 61;
  unsigned long c : 63;
  int d : 17;
  long e : 59;
  unsigned f : 5;
} packed = {5, -3, 1ul << 62, -70, 12345678901, 9};
#pragma pack()

static Wide global = ((Wide)0x123456789abcdef << 192) + 42;
static volatile unsigned amount = 77;

int main(void) {
  volatile Wide a = global, b = ((Wide)7 << 130) - 1;
  Wide x = a, y = b;
  show("sum", x + y);
  show("difference", y - x);
  show("product", x * y);
  show("quotient", x / y);
  show("remainder", x % y);
  show("and", (x & y) | (x ^ ~y));
  for (amount = 0; amount < 256; amount += 51) {
    show("left", y << amount);
    show("right", x >> amount);
    show("signed right", (Wide)((Signed)(x << 7) >> amount));
  }
  Signed s = (Signed)y, t = -s;
  show("negative", (Wide)t);
  show("signed quotient", (Wide)(t / 12345));
  show("signed remainder", (Wide)(t % (Signed)987654321987654321));
  printf("%d%d%d%d%d%d\n", x < y, x > y, s < t, t <= s, x == y, s != t);
  Odd o = (Odd)x * 3;
  OddSigned p = (OddSigned)o;
  show("odd", (Wide)(o << 5));
  show("odd signed", (Wide)(Signed)(p >> 3));
  show("odd quotient", (Wide)(Odd)(o / (Odd)1000003));
  printf("%ld %d\n", (long)p, (int)(o != 0));
  Wide r = 0;
  printf("%d", __builtin_add_overflow(~(Wide)0, (Wide)amount, &r));
  show(" overflow", r);
  printf("%d", __builtin_sub_overflow((Wide)1, (Wide)amount, &r));
  show(" overflow", r);
  for (int i = 0; i < 3; i++) {
    packed.a += 3;
    packed.b -= packed.d * 1000000007l;
    packed.c ^= packed.e;
    packed.d = packed.d * 3 + 1;
    packed.f--;
    printf("%d %ld %lu %d %ld %d\n", packed.a, packed.b, packed.c, packed.d, packed.e, packed.f);
  }
  Wide fact = 1;
  for (unsigned i = 1; i < 50; i++) fact *= i;
  show("factorial", fact);
  while (fact > 1000) fact /= amount | 3;
  show("divided", fact);
  struct Packed copy;
  memcpy(&copy, &packed, sizeof copy);
  return copy.e == packed.e ? 3 : 4;
}
