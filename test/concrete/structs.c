// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Structures by value: in registers, in memory (byval), returned (sret), nested, unions, flexible members, arrays, padding.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct p1 { char c; }; struct p2 { short s; char c; }; struct p3 { int a, b, c; }; struct p4 { double x; float y; };
struct p5 { long a, b; }; struct p6 { long a, b, c; }; struct p7 { char text[33]; }; struct p8 { float a, b; double c, d; };
struct p9 { long double l; int i; }; struct p10 { __int128 w; char c; };
struct nested { struct p2 a; union { int i; float f; char c[8]; } u; struct p3 b[2]; };
struct flexible { int n; short v[]; };

static struct p1 f1(struct p1 p) { p.c++; return p; }
static struct p2 f2(struct p2 p) { p.s *= 2; p.c--; return p; }
static struct p3 f3(struct p3 p) { return (struct p3){p.c, p.a, p.b}; }
static struct p4 f4(struct p4 p) { return (struct p4){p.y, (float)p.x}; }
static struct p5 f5(struct p5 p) { return (struct p5){p.b, p.a}; }
static struct p6 f6(struct p6 p) { p.b = p.a + p.c; return p; }
static struct p7 f7(struct p7 p) { memmove(p.text + 1, p.text, 31); return p; }
static struct p8 f8(struct p8 p, int n, struct p8 q) { return n > 0 ? f8(q, n - 1, p) : p; }
static struct p9 f9(struct p9 p) { p.l /= 2; p.i++; return p; }
static struct p10 f10(struct p10 p) { p.w <<= 70; p.c = 'q'; return p; }
static struct nested fn(const struct nested *n, struct nested by) { by.b[1] = n->b[0]; by.u.f = 2.5f; return by; }

int main(int argc, char **argv) {
  printf("%d\n", f1((struct p1){'a'}).c);
  struct p2 b = f2((struct p2){300, 'x'});
  struct p3 c = f3(f3((struct p3){1, 2, argc}));
  struct p4 d = f4((struct p4){1.5, 2.5f});
  struct p5 e = f5((struct p5){1L << 40, -1});
  struct p6 f = f6((struct p6){1, 2, 3});
  struct p7 g = f7((struct p7){"hello, structure"});
  struct p8 h = f8((struct p8){1, 2, 3, 4}, 5, (struct p8){5, 6, 7, 8});
  struct p9 i = f9((struct p9){3.0L, 4});
  struct p10 j = f10((struct p10){5, 'a'});
  printf("%d %c %d %d %d %g %g %ld %ld %ld %s %g %g %Lg %d %llx %c\n", b.s, b.c, c.a, c.b, c.c, d.x, d.y, e.a, e.b, f.b, g.text, h.a, h.d, i.l, i.i, (unsigned long long)(j.w >> 64), j.c);
  struct nested n;
  memset(&n, 0, sizeof n);
  n.b[0] = (struct p3){7, 8, 9};
  n.u.i = 1;
  struct nested r = fn(&n, n), copies[3] = {n, r, r};
  copies[0] = copies[2];
  copies[2].b[1].c = 77;
  printf("%g %d %d %d %x\n", r.u.f, r.b[1].b, copies[0].b[1].c, memcmp(&copies[0], &copies[1], sizeof r), copies[1].u.i);
  struct flexible *x = malloc(sizeof *x + 5 * sizeof *x->v);
  x->n = 5;
  for (int k = 0; k < x->n; k++) x->v[k] = (short)(k * k);
  int sum = 0;
  for (int k = 0; k < x->n; k++) sum += x->v[k];
  free(x);
  struct { int a[2][3]; } m = {{{1, 2, 3}, {4, 5, 6}}}, *pm = &m;
  int (*row)[3] = &pm->a[1];
  printf("%d %d %zu\n", sum, (*row)[2] + row[-1][1], sizeof(struct nested));
  return 0;
}
