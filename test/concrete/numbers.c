// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Text to numbers: strtol and its family with every base, overflow and errno; atoi; inttypes; div.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const char *const texts[] = {"0", "42", "-17", "+8", "  99 bottles", "0x1F", "077", "zz", "", "-", "0x", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "2147483648", "1010", "\t\n 5", "1e5", "0b11", "+-3"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
    for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
      char *end;
      errno = 0;
      long l = strtol(texts[i], &end, bases[j]);
      printf("%ld,%td,%d ", l, end - texts[i], errno);
      errno = 0;
      unsigned long ul = strtoul(texts[i], &end, bases[j]);
      printf("%lu,%td,%d%c", ul, end - texts[i], errno, j == 5 ? '\n' : ' ');
    }
  errno = 0;
  strtol("5", NULL, 1);
  printf("%d\n", errno == EINVAL);
  printf("%d %ld %lld %d\n", atoi("-123x"), atol("  77"), atoll("5000000000"), atoi("x"));
  printf("%" PRIdMAX " %" PRIuMAX "\n", strtoimax("-5", NULL, 10), strtoumax("ff", NULL, 16));
  div_t d = div(-17, 5);
  ldiv_t ld = ldiv(1000000007L, 13);
  lldiv_t lld = lldiv(-9, -4);
  printf("%d %d %ld %ld %lld %lld %d %ld\n", d.quot, d.rem, ld.quot, ld.rem, lld.quot, lld.rem, abs(-4), labs(-5L));
  srand(1);
  int a = rand(), b = rand();
  srand(1);
  printf("%d %d\n", a == rand() && b == rand(), a != b);
  return 0;
}
