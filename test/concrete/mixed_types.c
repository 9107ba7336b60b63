// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Structures of all sizes by value, through pointers and as variable arguments; complex numbers,
// arrays of variable length, computed gotos, bit-fields, vectors.
#include <complex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) P {
  char c;
  int i;
  short s;
  double d;
};
struct S3 {
  char c[3];
};
struct F2 {
  float a, b;
};
struct F3 {
  float a, b, c;
};
struct Mix {
  double d;
  long l;
};
struct Big {
  long a[4];
  char t;
};
struct Empty {};
union U {
  int i;
  float f;
  char c[16];
};
typedef struct P (*PF)(struct P, struct S3, struct F3);
static struct P pf(struct P p, struct S3 s, struct F3 f) {
  p.i += s.c[1];
  p.d += f.c;
  return p;
}
static struct Mix mix(struct Mix m, int n, ...) {
  va_list ap;
  va_start(ap, n);
  while (n--) {
    struct Big b = va_arg(ap, struct Big);
    struct F2 f = va_arg(ap, struct F2);
    struct Mix q = va_arg(ap, struct Mix);
    struct S3 s = va_arg(ap, struct S3);
    m.d += f.a + f.b + q.d;
    m.l += b.a[3] + b.t + q.l + s.c[2];
  }
  va_end(ap);
  return m;
}
static _Complex double cd(_Complex float a, _Complex double b) { return a * b + 1.0 * I; }
static long double ld(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long double r = 0;
  while (n--) {
    r += va_arg(ap, long double);
    r += va_arg(ap, double);
  }
  va_end(ap);
  return r;
}
static int vla(int n, int m, double a[n][m]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i][j];
  return (int)s + (int)sizeof(a[0]);
}
static int goto_(int x) {
  static const int off[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  int r = 0;
again:
  goto *(&&a + off[x % 3]);
a:
  r += 1;
  if (++x < 7) goto again;
  return r;
b:
  r += 10;
  x++;
  goto again;
c:
  r += 100;
  x++;
  if (x < 9) goto again;
  return r;
}
static int stmt(int x) {
  return ({
           int y = x;
           for (int i = 0; i < 3; i++) y *= 2;
           y;
         }) +
         ({
           switch (x) {
           case 1 ... 5: x = 9;
           }
           x;
         });
}
static sigjmp_buf sj;
static volatile sig_atomic_t got;
static void h(int s) {
  got++;
  siglongjmp(sj, s);
}
enum E { A = -1, B = 0x7fffffff };
struct BF {
  unsigned a : 1;
  signed b : 7;
  enum E e : 32;
  unsigned long long w : 48;
  _Bool t : 1;
  long z : 33;
  int : 0;
  unsigned char last : 3;
};
static void *alloc(int n) {
  char *p = __builtin_alloca(n);
  memset(p, n, n);
  char *q = malloc(n);
  memcpy(q, p, n);
  return q;
}
int main(int argc, char **argv) {
  struct P p = {1, 2, 3, 4.5};
  struct S3 s = {{1, 2, 3}};
  struct F3 f = {1, 2, 3.5f};
  PF volatile fp = pf;
  struct P q = fp(p, s, f);
  printf("%d %d %d %g\n", q.c, q.i, q.s, q.d);
  struct Big b = {{1, 2, 3, 4}, 5};
  struct F2 f2 = {1.5f, 2.5f};
  struct Mix m = {1, 2};
  struct Mix r = mix(m, 3, b, f2, m, s, b, f2, m, s, b, f2, m, s);
  printf("%g %ld\n", r.d, r.l);
  _Complex double c = cd(1 + 2 * I, 3 - 4 * I);
  printf("%g %g %g\n", creal(c), cimag(c), cabs(c));
  c = c / (2 + 1 * I);
  printf("%g %g\n", creal(c), cimag(c));
  _Complex long double cl = 3.0L + 4.0L * I;
  cl *= cl;
  printf("%Lg %Lg\n", creall(cl), cimagl(cl));
  printf("%Lg\n", ld(3, 1.5L, 2.5, 3.5L, 4.5, 5.5L, 6.5));
  int n = 3 + argc - argc, k = 4;
  double a[n][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) a[i][j] = i * j;
  printf("%d %d\n", vla(n, k, a), (int)sizeof a);
  printf("%d %d %d %d\n", goto_(0), goto_(1), stmt(3), stmt(7));
  signal(SIGUSR2, h);
  int v = sigsetjmp(sj, 1);
  if (v == 0) raise(SIGUSR2);
  printf("%d %d\n", v, (int)got);
  struct BF bf = {1, -3, B, 0xfffffffffffful, 1, -4294967296l, 5};
  bf.w += 2;
  bf.z--;
  bf.b *= 3;
  bf.e = A;
  printf("%u %d %d %llx %d %ld %d %d\n", bf.a, bf.b, bf.e, (unsigned long long)bf.w, bf.t,
         (long)bf.z, bf.last, (int)sizeof bf);
  union U u = {.c = "abcdefghijklmno"};
  u.f = 1.5f;
  printf("%x %s\n", u.i, u.c + 4);
  char *al = alloc(100);
  printf("%d\n", al[99]);
  free(al);
  struct {
    int n;
    int fam[];
  } *fam = malloc(sizeof *fam + 3 * sizeof(int));
  fam->fam[2] = 7;
  printf("%d\n", fam->fam[2]);
  free(fam);
  int (*arr[2])(int) = {stmt, goto_};
  printf("%d\n", arr[argc > 100](2));
  printf("%d %d\n", __builtin_types_compatible_p(int, int), __builtin_choose_expr(1, 5, "x"));
  printf("%d %d %d\n", __builtin_ffs(0), __builtin_clzl(1), __builtin_parity(7));
  typedef int V __attribute__((vector_size(16)));
  V x = {1, 2, 3, 4}, y = x * x + 1;
  y = __builtin_shufflevector(x, y, 7, 0, 5, 2);
  printf("%d %d %d %d\n", y[0], y[1], y[2], y[3]);
  return 0;
}
