// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// printf and scanf of floating point numbers: every format, width and precision.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const double values[] = {0, -0.0, 1, -1.5, 0.1, 3.14159265358979, 1e-5, 123456.789, 1e21, 1e-320, 1.7976931348623157e308, 2.5, 0.05, 9.995, 99999.95, 1.0 / 0.0, -1.0 / 0.0};
  const char *formats[] = {"%f", "%e", "%g", "%a", "%.0f", "%.1e", "%.3g", "%10.2f", "%-12.4f|", "%+f", "% g", "%#.0f", "%012.3f", "%G", "%E", "%.15g", "%.17g", "%#g", "%.30f", "%A", "%.2a"};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++) {
      if (values[i] > 1e300 && (j == 18 || j == 0)) continue;
      printf(formats[j], values[i]), putchar(j % 7 == 6 ? '\n' : ' ');
    }
  printf("%Lf %Le %.20Lg %La\n", 1.0L / 3, 2.0L / 3, 1.0L / 7, 10.5L);
  printf("%*.*f|%-*.*e|\n", 12, 3, 2.0 / 3, 14, 2, 12345.678);
  printf("%f %F\n", NAN, -INFINITY);
  double a = 0;
  float b = 0;
  long double c = 0;
  int n = sscanf("3.25 -1e-3 0x1.8p4", "%lf %f %Lf", &a, &b, &c);
  printf("%d %g %g %Lg\n", n, a, b, c);
  const char *numbers[] = {"1", "-2.5e3", "  .5x", "inf", "-infinity", "nan(12)", "0x10", "1e400", "1e-400", "2.2250738585072011e-308", "", "abc", "9007199254740993", "179769313486231580793e289"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char *end;
    double d = strtod(numbers[i], &end);
    if (d != d) printf("nan rest=%s ", end);
    else printf("%a rest=%s ", d, end);
    float f = strtof(numbers[i], &end);
    if (f == f) printf("%a ", f);
    long double l = strtold(numbers[i], &end);
    if (l == l) printf("%La", l);
    puts("");
  }
  printf("%g %g\n", atof("12.5e1"), strtod("1.5", NULL));
  return 0;
}
