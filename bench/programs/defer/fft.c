/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: transform
 * effects: transform(inout, inout, value) -> void
 * input: --sym-stdin 4
 * A discrete Fourier transform of four small numbers and back, with a check of the error; then what
 * the spectrum looks like. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 4 };

/* A fast transform in place; sign -1 forward, 1 back. */
void transform(double *re, double *im, int sign) {
  for (int i = 1, j = 0; i < N; i++) {
    int bit = N >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      double r = re[i], m = im[i];
      re[i] = re[j], im[i] = im[j];
      re[j] = r, im[j] = m;
    }
  }
  for (int size = 2; size <= N; size *= 2)
    for (int start = 0; start < N; start += size)
      for (int k = 0; k < size / 2; k++) {
        double angle = sign * 2 * 3.14159265358979323846 * k / size;
        double c = cos(angle), s = sin(angle);
        double *ar = &re[start + k], *ai = &im[start + k], *br = &re[start + k + size / 2],
               *bi = &im[start + k + size / 2];
        double tr = *br * c - *bi * s, ti = *br * s + *bi * c;
        *br = *ar - tr, *bi = *ai - ti;
        *ar += tr, *ai += ti;
      }
}

int main(void) {
  signed char in[N] = {0};
  read(0, in, N);
  double re[N], im[N] = {0};
  for (int i = 0; i < N; i++) re[i] = in[i];
  transform(re, im, -1);
  double mean = re[0] / N, alternating = re[N / 2];
  int status = 0;
  if (mean > 100) status |= 1;
  if (mean < -100) status |= 2;
  if (alternating == 0)
    status |= 4;
  else if (fabs(alternating) > 4 * fabs(re[0]) && re[0] != 0)
    status |= 8;
  if (re[1] * re[1] + im[1] * im[1] > 20000) status |= 16;
  transform(re, im, 1);
  double error = 0;
  for (int i = 0; i < N; i++) error += fabs(re[i] / N - in[i]);
  if (error > 1e-9) status |= 32; /* cannot be */
  return status;
}
