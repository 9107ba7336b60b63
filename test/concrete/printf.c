// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// printf and scanf families: integers, strings, widths, precisions, %n, positions, return values, truncation.
#define _GNU_SOURCE
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  printf("%d %i %u %o %x %X %c %s %%\n", -5, 6, 7u, 8u, 255u, 255u, 'c', "str");
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%#o] [%.3d] [%8.3d] [%-8.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42, 42, 42);
  printf("[%10s] [%-10s] [%.2s] [%10.2s] [%c] [%5c] [%-5c]\n", "abc", "abc", "abc", "abc", 'x', 'y', 'z');
  printf("%hhd %hd %ld %lld %zu %td %jd %hhu %hu %lu\n", (signed char)300, (short)70000, LONG_MIN, LLONG_MAX, (size_t)9, (ptrdiff_t)-3, (intmax_t)77, (unsigned char)300, (unsigned short)70000, ULONG_MAX);
  printf("%*d|%-*d|%.*d|%*.*s|%.*s\n", 6, 1, 6, 2, 4, 3, 8, 2, "abcdef", -1, "all");
  printf("%2$s %1$d %2$s\n", 5, "pos");
  int n1, n2;
  printf("abc%n def%n\n", &n1, &n2);
  printf("%d %d %p %s\n", n1, n2, (void *)0, "");
  printf("%d %d %x %#X\n", INT_MIN, INT_MAX, INT_MIN, 0xbeef);
  printf("%ls %lc\n", L"wide", (wint_t)L'w');
  char buffer[12];
  memset(buffer, '#', sizeof buffer);
  int r = snprintf(buffer, sizeof buffer, "%s %d", "truncated text", 12345);
  printf("%d [%s] %d\n", r, buffer, snprintf(NULL, 0, "%d", 1000));
  r = sprintf(buffer, "%03d", 7);
  printf("%d %s\n", r, buffer);
  char *allocated = NULL;
  r = asprintf(&allocated, "%s=%d", "key", 99);
  printf("%d %s\n", r, allocated);
  free(allocated);
  dprintf(1, "dprintf %d\n", 5);
  fflush(stdout);
  fprintf(stderr, "to stderr %s\n", "too");

  int a, b, c;
  char word[20], rest[20], set[20];
  unsigned hex;
  long big;
  r = sscanf("12 -7 hello 0x1f rest of", "%d %d %19s %x %19[^\n]", &a, &b, word, &hex, rest);
  printf("%d: %d %d %s %x [%s]\n", r, a, b, word, hex, rest);
  r = sscanf("abc123", "%19[a-z]%d%n", set, &a, &n1);
  printf("%d: %s %d %d\n", r, set, a, n1);
  r = sscanf("5,6;7", "%d,%d,%d", &a, &b, &c);
  printf("%d: %d %d\n", r, a, b);
  r = sscanf("99999999999 077 x", "%ld %i %c", &big, &a, word);
  printf("%d: %ld %d %c\n", r, big, a, word[0]);
  r = sscanf("skip 5 take 6", "%*s %*d %*s %d", &a);
  printf("%d: %d %d %d\n", r, a, sscanf("", "%d", &a), sscanf("x", "%d", &a));
  unsigned char tiny;
  short s;
  r = sscanf("200 -300 1234", "%hhu %hd %2d", &tiny, &s, &a);
  printf("%d: %u %d %d\n", r, tiny, s, a);
  char *m = NULL;
  r = sscanf("dynamic text", "%ms", &m);
  printf("%d: %s\n", r, m);
  free(m);
  putchar('p'), puts("uts"), fputs("fputs\n", stdout), fputc('c', stdout), putc('\n', stdout);
  perror("perror");
  return r;
}
