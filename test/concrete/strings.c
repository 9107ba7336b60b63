// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// <string.h> and <strings.h>, entirely.
#define _GNU_SOURCE
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <signal.h>
#include <unistd.h>

static int sign(int x) { return (x > 0) - (x < 0); }
#define OFFSET(p, base) ((p) ? (int)((const char *)(p) - (const char *)(base)) : -1)

int main(void) {
  char a[64], b[64];
  const char *t = "the cat sat on the mat";
  printf("%zu %zu %zu\n", strlen(t), strlen(""), strnlen(t, 5));
  printf("%s %s\n", strcpy(a, t), strncpy(b, "short", 20));
  printf("%d\n", b[19]);
  printf("%s %s\n", strcat(a, "!"), strncat(strcpy(b, "ab"), "cdef", 2));
  printf("%d %d\n", OFFSET(stpcpy(a, "abc"), a), OFFSET(stpncpy(b, "abcdef", 4), b));
  size_t copied = strlcpy(a, "long text here", 6), total = strlcat(a, "12345", 9);
  printf("%zu %zu %s\n", copied, total, a);
  const char *pairs[][2] = {{"a", "a"}, {"a", "b"}, {"b", "a"}, {"", "a"}, {"abc", "abd"}, {"Abc", "aBC"}, {"abc", "ab"}, {"\xff", "a"}, {"file10", "file9"}, {"a01", "a1"}};
  for (int i = 0; i < 10; i++)
    printf("%d%d%d%d%d%d ", sign(strcmp(pairs[i][0], pairs[i][1])), sign(strncmp(pairs[i][0], pairs[i][1], 2)), sign(strcasecmp(pairs[i][0], pairs[i][1])),
           sign(strncasecmp(pairs[i][0], pairs[i][1], 1)), sign(strcoll(pairs[i][0], pairs[i][1])), sign(strverscmp(pairs[i][0], pairs[i][1])));
  puts("");
  printf("%d %d %d %d %d\n", OFFSET(strchr(t, 'c'), t), OFFSET(strchr(t, 'z'), t), OFFSET(strchr(t, 0), t), OFFSET(strrchr(t, 't'), t), OFFSET(strchrnul(t, 'z'), t));
  printf("%d %d %d %d %d\n", OFFSET(strstr(t, "sat"), t), OFFSET(strstr(t, ""), t), OFFSET(strstr(t, "dog"), t), OFFSET(strcasestr(t, "MAT"), t), OFFSET(strstr("aaab", "aab"), "aaab") >= -1);
  printf("%zu %zu %zu\n", strspn(t, "het "), strcspn(t, "so"), strspn(t, ""));
  printf("%d %d\n", OFFSET(strpbrk(t, "mno"), t), OFFSET(strpbrk(t, "xyz"), t));
  strcpy(a, "one,two;;three");
  for (char *save, *p = strtok_r(a, ",;", &save); p; p = strtok_r(NULL, ",;", &save)) printf("<%s>", p);
  strcpy(a, " x  y z ");
  for (char *p = strtok(a, " "); p; p = strtok(NULL, " ")) printf("<%s>", p);
  strcpy(a, "k=v=w,,");
  for (char *rest = a, *p; (p = strsep(&rest, "=,"));) printf("{%s}", p);
  puts("");
  char *d = strdup(t), *n = strndup(t, 3);
  printf("%s %s\n", d, n);
  free(d), free(n);
  unsigned char m[40];
  memset(m, 0xab, sizeof m);
  for (int i = 0; i < 40; i++) m[i] = (unsigned char)(i * i);
  memcpy(a, m, 40), memmove(m + 3, m, 20), memmove(m, m + 5, 30);
  for (int i = 0; i < 40; i++) printf("%02x", m[i]);
  puts("");
  printf("%d %d %d\n", sign(memcmp(m, a, 40)), memcmp(a, a, 40), sign(memcmp("a\0c", "a\0b", 3)));
  printf("%d %d %d\n", OFFSET(memchr(t, 's', 10), t), OFFSET(memchr(t, 's', 3), t), OFFSET(memrchr(t, 'a', 22), t));
  printf("%d %d\n", OFFSET(memmem(t, 22, "on t", 4), t), OFFSET(memmem(t, 22, "xx", 2), t));
  printf("%d %d\n", OFFSET(mempcpy(a, "12345", 5), a), OFFSET(memccpy(b, "abcdef", 'd', 6), b));
  bzero(b, 10), bcopy("bcopy", b, 6);
  printf("%s %d %s %s\n", b, bcmp("a", "a", 1), index("xyz", 'y'), rindex("xyzy", 'y'));
  printf("%d %d %d %d\n", ffs(0), ffs(40), ffsl(1L << 40), ffsll(-8));
  char x[10];
  printf("%zu %s\n", strxfrm(x, "abc", 10), x);
  swab("badc", x, 4);
  printf("%.4s %s %s\n", x, basename(strcpy(b, "/usr/lib/x.c")), strerror(ENOENT));
  printf("%s %s\n", strsignal(SIGSEGV), strerror_r(EINVAL, a, sizeof a) ? "?" : a);
  explicit_bzero(a, 8);
  printf("%d\n", a[0]);
  return 0;
}
