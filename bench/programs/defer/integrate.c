/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: simpson
 * input: --sym-stdin 3
 * Numeric integration of a cubic with an estimate of the error, refined until that is small. */
#include <math.h>
#include <unistd.h>

/* Of p x^3 + q x from a to b in n pairs of steps. */
double simpson(double p, double q, double a, double b, int n) {
  double h = (b - a) / (2 * n), sum = 0;
  for (int i = 0; i <= 2 * n; i++) {
    double x = a + i * h, y = p * x * x * x + q * x;
    sum += i == 0 || i == 2 * n ? y : i % 2 ? 4 * y : 2 * y;
  }
  return sum * h / 3;
}

int main(void) {
  signed char in[3] = {0};
  read(0, in, 3);
  double p = in[0], q = in[1], b = in[2] / 16.0;
  double coarse = simpson(p, q, 0, b, 1), fine = simpson(p, q, 0, b, 4);
  double exact = p * b * b * b * b / 4 + q * b * b / 2;
  int status = 0;
  if (fabs(coarse - fine) > 1e-9) status |= 1; /* rounding alone */
  if (fabs(fine - exact) > 1e-6) return 64;    /* cannot be */
  if (fine < 0) status |= 2;
  if (fine > 100000) status |= 4;
  if (fine == 0)
    status |= 8;
  else if (fine == floor(fine))
    status |= 16;
  return status;
}
