// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengths of texts, numbers of bytes that library functions read and write, and what comparisons say of an index: each defect beside its correct twin.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom scan %t --no-cache --kinds out-of-bounds-read,out-of-bounds-write > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 13 reports: 4 out-of-bounds-read, 9 out-of-bounds-write
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The end of the text has no room.
static char *copyBad(const char *text) {
  char *copy = malloc(strlen(text));
  if (!copy) exit(1);
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte ends 1 byte behind the end of a block
  return strcpy(copy, text);
}
static char *copyOk(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (!copy) exit(1);
  return strcpy(copy, text);
}
static void joinBad(const char *a, const char *b) {
  char both[16];
  strcpy(both, "prefix:");
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write
  strcat(both, "0123456789");
  printf("%s%s%s\n", both, a, b);
}
static void joinOk(const char *a) {
  char both[18];
  strcpy(both, "prefix:");
  strcat(both, "0123456789");
  printf("%s%s\n", both, a);
}
// The last byte of a line that may be empty.
static int chompBad(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 0;
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte at offset down to -1 of an object of 64 bytes
  return line[strlen(line) - 1] == '\n';
}
static int chompOk(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 0;
  size_t length = strlen(line);
  return length > 0 && line[length - 1] == '\n';
}
static void lineBad(void) {
  char line[40];
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 80 bytes at offset 0 of an object of 40 bytes
  if (fgets(line, 80, stdin)) puts(line);
}
// read returns as many bytes as there was room for, or -1.
static void endBad(void) {
  char buffer[32];
  ssize_t n = read(0, buffer, sizeof buffer);
  if (n < 0) return;
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte at offset up to 32 of an object of 32 bytes
  buffer[n] = 0;
  puts(buffer);
}
static void endFailed(void) {
  char buffer[32];
  ssize_t n = read(0, buffer, sizeof buffer - 1);
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte at offset down to -1 of an object of 32 bytes
  buffer[n] = 0;
  puts(buffer);
}
static void endOk(void) {
  char buffer[32];
  ssize_t n = read(0, buffer, sizeof buffer - 1);
  if (n < 0) return;
  buffer[n] = 0;
  puts(buffer);
}
// A comparison that lets the index be the size.
static int atBad(const int *from, int i) {
  int table[10];
  memcpy(table, from, sizeof table);
  if (i < 0 || i > 10) return 0;
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read of 4 bytes at offset up to 40 of an object of 40 bytes
  return table[i];
}
static int atOk(const int *from, int i) {
  int table[10];
  memcpy(table, from, sizeof table);
  if (i < 0 || i >= 10) return 0;
  return table[i];
}
static int *allBad(int n) {
  int *all = malloc(n * sizeof *all);
  if (!all) exit(1);
  for (int i = 0; i <= n; i++)
    // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 4 bytes may end 4 bytes behind the end of a block
    all[i] = i;
  return all;
}
static int *allOk(int n) {
  int *all = malloc(n * sizeof *all);
  if (!all) exit(1);
  for (int i = 0; i < n; i++) all[i] = i;
  return all;
}
// So many bytes as the caller says.
static void fillBad(const char *from, size_t n) {
  char to[20];
  if (n > 24) return;
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte at offset up to 23 of an object of 20 bytes
  memcpy(to, from, n);
  puts(to);
}
static void fillOk(const char *from, size_t n) {
  char to[20];
  if (n > 20) return;
  memcpy(to, from, n);
  puts(to);
}
// A size that callers decide.
static void store(char *to, const char *text) {
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 1 byte at offset 8 of an object of 8 bytes
  strcpy(to, text);
}
static void storeBoth(void) {
  char small[8], large[9];
  store(small, "12345678");
  store(large, "12345678");
  puts(small);
  puts(large);
}
static void formatBad(int n) {
  char text[8];
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write of 16 bytes at offset 0 of an object of 8 bytes
  snprintf(text, 16, "%d", n);
  puts(text);
}
static int sendBad(void) {
  static const char head[4] = "abc";
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read of 6 bytes at offset 0 of an object of 4 bytes
  return (int)write(1, head, 6);
}

// A loop over the characters of a text that does not end where the text does.
static void wordBad(void) {
  char line[80], *from, *to;
  if (!fgets(line, sizeof line, stdin)) return;
  from = line;
  while (isspace(*from)) from++;
  if (!*from) return;
  to = from;
  // CHECK-DAG: texts.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte behind a text, if that ends at the byte before
  while (!isspace(*to)) to++;
  *to = 0;
  puts(from);
}
static int wordOk(void) {
  char line[80], *from, *to;
  int n = 0;
  if (!fgets(line, sizeof line, stdin)) return 0;
  from = line;
  while (isspace(*from)) from++;
  if (!*from) return 0;
  to = from;
  while (*to && !isspace(*to)) to++;
  *to = 0;
  for (char *p = line; isdigit(*p); p++) n = n * 10 + *p - '0';
  for (size_t i = 0; i < strlen(line); i++) n += line[i] == 'x';
  for (size_t i = 0, k = strlen(line); i < k; i++) n += line[i] == 'y';
  return n + puts(from);
}

int main(int argc, char **argv) {
  wordBad();
  puts(copyBad(argv[0]));
  puts(copyOk(argv[0]));
  joinBad(argv[0], argv[argc - 1]);
  joinOk(argv[0]);
  lineBad();
  endBad();
  endFailed();
  endOk();
  storeBoth();
  formatBad(argc);
  fillBad(argv[0], (size_t)argc);
  fillOk(argv[0], (size_t)argc);
  int *bad = allBad(argc), *ok = allOk(argc);
  static const int numbers[10];
  int r = atBad(numbers, argc) + atOk(numbers, argc) + chompBad() + chompOk() + sendBad() + wordOk();
  free(bad);
  free(ok);
  return r;
}
