// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %merges %s %t.span --cc=-DSPAN --patterns 1 -- --memory symbolic-size=16 --sym-arg 5
// RUN: %merges %s %t.skip --cc=-DSKIP --patterns 1 -- --memory symbolic-size=16 --sym-arg 5
// RUN: %merges %s %t.tokens --cc=-DTOKENS -- --memory symbolic-size=16 --sym-arg 4
// RUN: %merges %s %t.number --cc=-DNUMBER -- --memory symbolic-size=16 --sym-arg 3
// RUN: %merges %s %t.options --cc=-DOPTIONS -- --memory symbolic-size=16 --sym-args 0 2 3
// RUN: %merges %s %t.blanks --cc=-DBLANKS --patterns 1 -- --memory symbolic-size=16 --sym-stdin 5
// RUN: %merges %s %t.base64 --cc=-DBASE64 -- --memory symbolic-size=16 --sym-stdin 4
// RUN: %merges %s %t.tlv --fallback --cc=-DTLV -- --memory symbolic-size=16 --sym-stdin 5
// RUN: %merges %s %t.runs --cc=-DRUNS -- --memory symbolic-size=16 --sym-stdin 4
// RUN: %merges %s %t.file --cc=-DSPANFILE --patterns 1 -- --memory symbolic-size=16 --sym-files 1 5 --fail-allocations
// Loops over inputs of symbolic length. Merged and unmerged, programs give the same results and have the same bugs.
#include "Inputs/tell.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int digitOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c == '+') return 62;
  return -1;
}

/* All of standard input, or of a file. */
static size_t readAll(int fd, char *into, size_t room) {
  ssize_t n = read(fd, into, room);
  return n < 0 ? 0 : (size_t)n;
}

int main(int argc, char **argv) {
  char data[8];
#if defined SPAN // libc's own loop
  if (argc != 2) return 9;
  size_t n = strspn(argv[1], "a");
  tell((long)n);
  return argv[1][n] == 0;
#elif defined SKIP
  if (argc != 2) return 9;
  const char *p = argv[1];
  while (*p == ' ') p++;
  const char *start = p;
  while (*p && *p != '=') p++;
  tell(start - argv[1]);
  tell(p - start);
#elif defined TOKENS // in place, as strtok does it
  if (argc != 2) return 9;
  char *p = argv[1];
  long tokens = 0, longest = 0;
  while (*p) {
    while (*p == ',') p++;
    char *start = p;
    while (*p && *p != ',') p++;
    if (p > start) tokens++;
    if (p - start > longest) longest = p - start;
    if (*p) *p++ = 0;
  }
  tell(tokens);
  tell(longest);
#elif defined NUMBER
  if (argc != 2) return 9;
  char *end;
  long value = 0;
  for (end = argv[1]; *end >= '0' && *end <= '9'; end++) value = 10 * value + (*end - '0');
  if (end == argv[1]) return 1;
  if (*end) return 2;
  puts(value == 0 ? "zero" : value == 42 ? "the answer" : value > 500 ? "large" : "other");
#elif defined OPTIONS
  int flags = 0, words = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-') {
      words += argv[i][0] != 0;
      continue;
    }
    for (const char *p = argv[i] + 1; *p; p++)
      if (*p == 'v')
        flags |= 1;
      else
        flags |= 2;
  }
  tell(flags);
  tell(words);
#elif defined BLANKS
  size_t n = readAll(0, data, sizeof data), blanks = 0;
  while (blanks < n && data[blanks] == ' ') blanks++;
  tell((long)blanks);
  tell((long)n);
#elif defined BASE64
  size_t n = readAll(0, data, sizeof data), used = 0;
  unsigned char out[4] = {0};
  while (used < n) {
    int d = digitOf(data[used]);
    if (d < 0) break;
    out[used++] = (unsigned char)d;
  }
  tell((long)used);
  if (used > 2 && out[1] == 62) puts("plus");
  return used < n;
#elif defined TLV // a length can lead out of what was read, and out of the buffer
  size_t n = readAll(0, data, sizeof data), at = 0;
  long elements = 0;
  while (at + 2 <= n && data[at]) {
    at += 2 + (size_t)(data[at + 1] & 7);
    elements++;
  }
  if (at < n && elements == 2) tell(data[at] == 'x');
  tell(elements);
  return at > n ? data[at] != 0 : 0;
#elif defined RUNS
  size_t n = readAll(0, data, sizeof data);
  unsigned char out[6] = {0};
  unsigned m = 0;
  for (size_t i = 0; i + 1 < n; i += 2)
    for (int k = 0; k < (data[i] & 3); k++) out[m++] = (unsigned char)data[i + 1];
  if (m == 6) out[m] = 1;
  tell((long)m);
  if (m > 3 && out[3] == 'x') puts("x");
#elif defined SPANFILE
  int fd = open("A", O_RDONLY);
  if (fd < 0) return 9;
  off_t size = lseek(fd, 0, SEEK_END);
  lseek(fd, 0, SEEK_SET);
  char *text = calloc((size_t)size + 1, 1);
  if (!text) return 9;
  size_t n = readAll(fd, text, (size_t)size), spaces = 0;
  text[n] = 0;
  while (text[spaces] == ' ') spaces++;
  tell((long)spaces);
  free(text);
#endif
  return 0;
}
