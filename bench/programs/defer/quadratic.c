/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: discriminant,root
 * input: --sym-stdin 3
 * Roots of a quadratic equation with small coefficients, and every case that there is. */
#include <math.h>
#include <unistd.h>

double discriminant(double a, double b, double c) { return b * b - 4 * a * c; }
double root(double a, double b, double d, int sign) { return (-b + sign * sqrt(d)) / (2 * a); }

int main(void) {
  signed char in[3] = {0};
  read(0, in, 3);
  double a = in[0], b = in[1], c = in[2];
  if (a == 0) return b == 0 ? c == 0 ? 1 : 2 : 3;
  double d = discriminant(a, b, c);
  if (d < 0) return d < -60000 ? 4 : 5;
  if (d == 0) return 6;
  double x = root(a, b, d, 1), y = root(a, b, d, -1);
  if (x == (int)x && y == (int)y) return x == -y ? 7 : 8;
  if (x > 100 || y > 100) return 9;
  if (fabs(a * x * x + b * x + c) > 1e-6) return 10; /* lost digits: rare */
  return 11;
}
