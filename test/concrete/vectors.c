// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Vectors: lane-wise arithmetic, comparisons, shuffles, element access at variable indices, conversions, reductions.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned char v16qu __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef float v8sf __attribute__((vector_size(32)));
typedef long long v4di __attribute__((vector_size(32)));
typedef float v4sf __attribute__((vector_size(16)));

static void dump(const char *name, const void *p, unsigned n) {
  const unsigned char *b = p;
  printf("%s ", name);
  while (n--) printf("%02x", *b++);
  puts("");
}
static v4si twist(v4si a, v4si b) { return a * b - (a ^ b) + (a << 2) - (b >> 1); }
__attribute__((noinline)) static v8sf scale(v8sf a, float by) { return a * by + 1; }

int main(int argc, char **argv) {
  v4si a = {1, -2, 3, argc}, b = {10, 20, -30, 40};
  v4si c = twist(a, b);
  dump("twist", &c, sizeof c);
  v4si less = a < b, equal = a == (v4si){1, 0, 3, 0};
  dump("less", &less, sizeof less), dump("equal", &equal, sizeof equal);
  v4si chosen = (less & a) | (~less & b);
  dump("chosen", &chosen, sizeof chosen);
  v16qu bytes;
  for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 37 + argc);
  v16qu mixed = __builtin_shufflevector(bytes, bytes * 3, 0, 17, 2, 19, 4, 21, 6, 23, 15, 30, 13, 28, 11, 26, 9, 24);
  dump("mixed", &mixed, sizeof mixed);
  v8hi shorts = __builtin_convertvector(__builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7), v8hi);
  shorts = shorts / 3 % 50 + (short)argc;
  dump("shorts", &shorts, sizeof shorts);
  v2df doubles = {1.5, -2.25};
  doubles = doubles * doubles + (v2df){0.5, argc};
  dump("doubles", &doubles, sizeof doubles);
  v8sf floats = {0, 1, 2, 3, 4, 5, 6, 7};
  floats = scale(floats, 0.5f);
  dump("floats", &floats, sizeof floats);
  v4di wide = {1, 2, 3, 4};
  for (int i = 0; i < 4; i++) wide[(i + argc) & 3] += wide[i] << 33;
  dump("wide", &wide, sizeof wide);
  v4si fromFloat = __builtin_convertvector((v4sf){1.9f, -2.9f, 3.5f, 1e6f}, v4si);
  dump("fromFloat", &fromFloat, sizeof fromFloat);
  printf("%d %d %d %d\n", __builtin_reduce_add(c), __builtin_reduce_max(c), __builtin_reduce_min(c), __builtin_reduce_xor(c));
  v4si m = __builtin_elementwise_max(a, b), n = __builtin_elementwise_abs(b);
  dump("max", &m, sizeof m), dump("abs", &n, sizeof n);
  // loops that -O2 turns into vector code
  static int32_t x[100], y[100];
  static uint8_t u[100];
  int64_t sum = 0;
  for (int i = 0; i < 100; i++) x[i] = i * argc, y[i] = 100 - i, u[i] = (uint8_t)(i * 7);
  for (int i = 0; i < 100; i++) x[i] = x[i] * y[i] + (u[i] > 100 ? u[i] : -u[i]);
  for (int i = 0; i < 100; i++) sum += x[i];
  int best = x[0];
  for (int i = 0; i < 100; i++) best = x[i] > best ? x[i] : best;
  printf("%lld %d\n", (long long)sum, best);
  return 0;
}
