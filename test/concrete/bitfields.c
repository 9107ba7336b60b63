// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Bit-fields: signed, unsigned, straddling, zero width, packed, in unions, in arrays, and assignment through pointers.
#include <stdio.h>
#include <string.h>

struct A { unsigned a : 3; int b : 5; unsigned c : 11; int : 0; unsigned long long d : 40; long long e : 24; _Bool f : 1; };
struct __attribute__((packed)) B { unsigned char x : 7; unsigned y : 19; short z : 6; unsigned long long w : 57; };
union U { struct { unsigned low : 4, mid : 12, high : 16; } f; unsigned v; };
struct C { unsigned char n; struct A a[3]; };

static void dump(const char *name, const void *p, unsigned long n) {
  const unsigned char *b = p;
  printf("%s:", name);
  for (unsigned long i = 0; i < n; i++) printf(" %02x", b[i]);
  puts("");
}
static int sum(struct A a, struct B b) { return (int)(a.a + (unsigned)a.b + a.c) + (int)b.x + b.z; }

int main(int argc, char **argv) {
  struct A a;
  struct B b;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  for (int i = -40; i < 40; i += 7) {
    a.a = (unsigned)i, a.b = i, a.c = (unsigned)(i * i), a.d = (unsigned long long)i * 0x123456789, a.e = i * 1000, a.f = i;
    b.x = (unsigned char)i, b.y = (unsigned)(i * 77), b.z = (short)i, b.w = (unsigned long long)i << 30;
    a.a += 3, a.b = -a.b, a.c ^= 0x155, a.e--, b.y++, b.w >>= 3;
    printf("%u %d %u %llu %lld %d | %u %u %d %llu = %d\n", a.a, a.b, a.c, (unsigned long long)a.d, (long long)a.e, a.f, b.x, b.y, b.z, (unsigned long long)b.w, sum(a, b));
  }
  dump("A", &a, sizeof a), dump("B", &b, sizeof b);
  union U u = {.v = 0xdeadbeef + (unsigned)argc};
  u.f.mid = 0x5a5;
  printf("%x %x %x %x\n", u.v, u.f.low, u.f.mid, u.f.high);
  struct C c = {.n = 1};
  memset(c.a, 0, sizeof c.a);
  for (int i = 0; i < 3; i++) c.a[i].d = (unsigned long long)i + 1, c.a[i].b = -i;
  struct A *p = &c.a[1];
  p->c = 2000, p->b -= 3;
  printf("%u %d %llu %zu %zu\n", p->c, p->b, (unsigned long long)c.a[2].d, sizeof(struct A), sizeof(struct B));
  return u.f.low;
}
