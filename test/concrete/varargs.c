// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Variable arguments: integers, doubles, long doubles, structs by value, va_copy, va_list passed on, many arguments.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct small { int a; char b; };
struct floats { float x, y, z; };
struct big { long v[5]; };
struct mixed { double d; long l; };
struct two { double a, b; };

static void show(const char *spec, ...) {
  va_list ap, copy;
  va_start(ap, spec);
  va_copy(copy, ap);
  for (const char *p = spec; *p; p++) switch (*p) {
    case 'i': printf("%d ", va_arg(ap, int)); break;
    case 'l': printf("%ld ", va_arg(ap, long)); break;
    case 'd': printf("%g ", va_arg(ap, double)); break;
    case 'L': printf("%Lg ", va_arg(ap, long double)); break;
    case 's': printf("%s ", va_arg(ap, const char *)); break;
    case 'S': { struct small s = va_arg(ap, struct small); printf("{%d %c} ", s.a, s.b); break; }
    case 'F': { struct floats f = va_arg(ap, struct floats); printf("{%g %g %g} ", f.x, f.y, f.z); break; }
    case 'B': { struct big b = va_arg(ap, struct big); printf("{%ld %ld %ld} ", b.v[0], b.v[2], b.v[4]); break; }
    case 'M': { struct mixed m = va_arg(ap, struct mixed); printf("{%g %ld} ", m.d, m.l); break; }
    case 'T': { struct two t = va_arg(ap, struct two); printf("{%g %g} ", t.a, t.b); break; }
    }
  va_end(ap);
  int first = *spec == 'i' ? va_arg(copy, int) : -1;
  va_end(copy);
  printf("| %d\n", first);
}
static int vsum(int n, va_list ap) {
  int s = 0;
  while (n--) s += va_arg(ap, int);
  return s;
}
static int sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int half = vsum(n / 2, ap);
  int rest = vsum(n - n / 2, ap);
  va_end(ap);
  return half * 1000 + rest;
}
static int format(char *out, size_t size, const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int n = vsnprintf(out, size, f, ap);
  va_end(ap);
  return n;
}

int main(void) {
  show("i", 5);
  show("ildLs", -1, 1L << 40, 2.5, 3.25L, "text");
  struct small s = {7, 'x'};
  struct floats f = {1, 2, 3};
  struct big b = {{10, 20, 30, 40, 50}};
  struct mixed m = {0.5, -9};
  struct two t = {1.25, 2.75};
  show("iSFBMT", 1, s, f, b, m, t);
  show("iiiiiiSSFFBddddddddddLLi", 1, 2, 3, 4, 5, 6, s, s, f, f, b, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 1.5L, 2.5L, 99);
  show("BMBMT", b, m, b, m, t);
  printf("%d %d\n", sum(5, 1, 2, 3, 4, 5), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  char out[20];
  int n = format(out, sizeof out, "%s-%05d-%c-%Lf", "abc", 42, 'z', 1.5L);
  printf("%d [%s]\n", n, out);
  return 0;
}
