// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Integer conversions of every pair of widths, pointers as integers, compound literals, comma, sizeof, generic selection, _Bool.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#define ONE(F, T) printf("%lld ", (long long)(T)(F)v)
#define ALL(F) ONE(F, int8_t), ONE(F, uint8_t), ONE(F, int16_t), ONE(F, uint16_t), ONE(F, int32_t), ONE(F, uint32_t), ONE(F, int64_t), ONE(F, uint64_t), ONE(F, bool), puts("")
#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", double: "double", char *: "string", default: "other")
enum color { kRed = -3, kGreen = 100000, kBlue };
int main(int argc, char **argv) {
  static const long long values[] = {0, 1, -1, 127, 128, -129, 255, 256, 65535, 0x12345678, -0x7fffffff - 1, 0x123456789abcdef0, -2};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    volatile long long v = values[i];
    ALL(int8_t);
    ALL(uint8_t);
    ALL(int16_t);
    ALL(uint16_t);
    ALL(int32_t);
    ALL(uint32_t);
    ALL(int64_t);
    ALL(uint64_t);
    ALL(bool);
  }
  printf("%s %s %s %s %s\n", NAME(1), NAME(1u + (short)1), NAME('a' + 1L), NAME(1.0f * 2.0), NAME(argv[0]));
  uintptr_t p = (uintptr_t)&argc;
  *(int *)(p ^ 0) += 5;
  int *q = (int *)((p | 1) - 1);
  printf("%d %d %d\n", argc, q == &argc, (int)(p - (uintptr_t)q));
  bool b = 0.5, c = (int)0.5, d = &argc;
  printf("%d%d%d %d %d\n", b, c, d, !!argc, b + b);
  enum color e = kGreen;
  switch (e) { case kRed: puts("red"); break; case kGreen: puts("green"); break; case kBlue: puts("blue"); }
  char s = -1;
  unsigned char u = (unsigned char)-1;
  printf("%d %d %u %d\n", s, u, (unsigned)s, s == u);
  int i = 5;
  i += i++ * 0 + 3.7;
  printf("%d %d %zu %d\n", i, -7 / 2 * 2 + -7 % 2, sizeof(char[argc + 3]), (int[]){1, 2, 3}[1]);
  unsigned long mask = ~0ul >> (argc & 15);
  short sh = (short)0x8001;
  printf("%lx %d %d %x\n", mask, sh >> 3, (unsigned short)sh >> 3, (unsigned)sh << 4);
  return (signed char)(argc * 1000);
}
