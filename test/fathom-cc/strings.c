// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libc's string functions stay inside their objects: the bitcode of none reads or writes more than a byte at a time,
// and the native ones give the right bytes at every length and alignment, up against a page that cannot be read.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc %s -o program && ./program | FileCheck %s
// RUN: %S/Inputs/byte-wise.sh program.bc memchr memcpy memmove memset __stpcpy __stpncpy strlcpy __strchrnul strlen memccpy strcmp strncmp memcmp
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int failures;
static void expect(int ok, const char *what, int length) {
  if (!ok && failures++ < 10) printf("wrong: %s at length %d\n", what, length);
}

int main(void) {
  char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = page + 4096;
  mprotect(end, 4096, PROT_NONE);
  static char buffer[256], source[64];
  for (int n = 0; n < 40; n++) {
    char *s = end - n - 1; // a string of n characters that ends with the page
    memset(s, 'x', n);
    s[n] = 0;
    expect(strlen(s) == n && strnlen(s, n) == n, "strlen", n);
    expect(strchr(s, 'y') == 0 && strchrnul(s, 'y') == s + n, "strchr", n);
    expect(memchr(s, 'y', n + 1) == 0 && memrchr(s, 0, n + 1) == s + n, "memchr", n);
    memset(buffer, '#', sizeof buffer);
    expect(strcpy(buffer, s) == buffer && stpcpy(buffer, s) == buffer + n && buffer[n + 1] == '#', "strcpy", n);
    memset(buffer, '#', sizeof buffer);
    expect(strncpy(buffer, s, n + 3) == buffer && buffer[n + 2] == 0 && buffer[n + 3] == '#', "strncpy", n);
    expect(strlcpy(buffer, s, sizeof buffer) == n && memccpy(buffer, s, 0, n + 1) == buffer + n + 1, "strlcpy", n);
    expect(strcmp(s, buffer) == 0 && strncmp(s, buffer, n) == 0 && memcmp(s, buffer, n + 1) == 0, "strcmp", n);
    expect(memmem(s, n, "xy", 2) == 0 && strstr(s, "xy") == 0, "strstr", n);
    for (int i = 0; i < 64; i++) source[i] = i;
    for (int from = 0; from < 9; from++)
      for (int to = 0; to < 9; to++) {
        memcpy(buffer, source, 64);
        memmove(buffer + to, buffer + from, n);
        for (int i = 0; i < n; i++) expect(buffer[to + i] == from + i, "memmove", n);
        memset(buffer, '#', 64);
        memcpy(buffer + to, source + from, n);
        for (int i = 0; i < n; i++) expect(buffer[to + i] == from + i, "memcpy", n);
        expect(buffer[to + n] == '#', "memcpy", n);
      }
  }
  printf("%d failures\n", failures); // CHECK: {{^}}0 failures
  return 0;
}
