// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Old and new forms of C: K&R definitions, aliases, constructors, cleanups, thread-local variables,
// va_list by address, Duff's device, long double in structures.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* old style and aliases */
int old(a, b, c)
char a;
float b;
short c;
{
  return a + (int)b + c;
}
extern int alias_(int) __attribute__((alias("real")));
int real(int x) { return x + 1; }
__attribute__((weak)) int weak_(void);
static int inner(va_list *ap) { return va_arg(*ap, int) + (int)va_arg(*ap, double); }
static int outer(int n, ...) {
  va_list ap, aq;
  va_start(ap, n);
  va_copy(aq, ap);
  int r = inner(&ap) + inner(&ap);
  r = r * 100 + va_arg(aq, int);
  va_end(aq);
  va_end(ap);
  return r;
}
struct A {
  struct A *next;
  union {
    int i;
    struct {
      char lo, hi;
    };
  };
};
static struct A chain[3] = {{&chain[1], {.i = 1}}, {&chain[2], {.lo = 2}}, {0, {.i = 3}}};
static const char *const names[] = {[3] = "three", [1] = "one"};
__attribute__((constructor)) static void ctor(void) { puts("ctor"); }
__attribute__((destructor)) static void dtor(void) { puts("dtor"); }
static void cleanup(int *p) { printf("clean %d\n", *p); }
_Thread_local int tl = 5;
static int duff(int n) {
  int r = 0, i = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { r++;
    case 3: r += 2;
    case 2: r += 3;
    case 1: r += 4;
    } while (--i > 0);
  }
  return r;
}
static uint64_t rot(uint64_t x, int n) { return x << n | x >> (64 - n); }
_Float16 half(_Float16 a) { return a * a; }
struct L {
  long double ld;
  int k;
};
static struct L lret(struct L l) {
  l.ld *= 2;
  l.k++;
  return l;
}
int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(int argc, char **argv) {
  printf("%d %d %d\n", old('a', 2.5f, (short)7), alias_(4), weak_ ? weak_() : -1);
  printf("%d\n", outer(2, 1, 2.0, 3, 4.0));
  for (struct A *p = chain; p; p = p->next) printf("%d ", p->i);
  puts("");
  printf("%s %d\n", names[3], names[2] == 0);
  {
    __attribute__((cleanup(cleanup))) int x = 3;
    {
      __attribute__((cleanup(cleanup))) int y = 4;
      goto out;
    }
  out:;
  }
  tl += 3;
  printf("%d %d %d\n", tl, duff(7), duff(8));
  printf("%lx\n", (unsigned long)rot(0x123456789abcdef0, 13));
  printf("%g\n", (double)half((_Float16)1.5));
  struct L l = lret((struct L){1.25L, 3});
  printf("%Lg %d\n", l.ld, l.k);
  struct L (*volatile lp)(struct L) = lret;
  l = lp(l);
  printf("%Lg %d\n", l.ld, l.k);
  int a[] = {5, 3, 9, 1};
  qsort(a, 4, sizeof *a, cmp);
  printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
  char buf[64];
  int n =
      snprintf(buf, sizeof buf, "%*.*f|%-5s|%+d|%#x|%e", 8, 3, 3.14159, "ab", 5, 255, 12345.678);
  printf("%s %d\n", buf, n);
  unsigned char uc = 200;
  signed char sc = (signed char)uc;
  printf("%d %d %d\n", uc << 1, sc >> 1, (unsigned char)(uc * 2));
  volatile int zero = 0;
  printf("%d %d\n", __builtin_expect(zero, 1), __builtin_constant_p(zero));
  printf("%d\n", __builtin_object_size(buf, 0) > 0);
  long x;
  int ov = __builtin_mul_overflow(1l << 62, 4, &x);
  printf("%d %ld\n", ov, x);
  float f = 16777217;
  double d = (float)0.1;
  printf("%g %.17g %d\n", f, d, (int)-1.9);
  printf("%d %d\n", (int)sizeof(struct A), (int)__alignof__(long double));
  printf("%llu %lld\n", (unsigned long long)1e19, (long long)-9.2e18);
  int *vp = &(int){42};
  printf("%d\n", *vp);
  printf("%s\n", __func__);
  printf("%d\n", ({
           __label__ in;
           int z = 0;
         in:
           if (++z < 5) goto in;
           z;
         }));
  return argc > 1;
}
